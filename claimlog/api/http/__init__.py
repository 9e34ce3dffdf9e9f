"""Requests and answers: addresses, arguments, media types, problem details."""
