"""Who plays whom in a round."""
