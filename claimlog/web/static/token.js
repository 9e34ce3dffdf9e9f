// The token that this browser tab sends to the API with changes.

const KEY = "claimlog-desk-token";

/** Keep a token for this tab. */
export function keepToken(text) {
  sessionStorage.setItem(KEY, text.trim());
}

/** The headers of a request, with the token if there is one. */
export function withToken(headers) {
  const secret = sessionStorage.getItem(KEY);
  return secret ? { ...headers, Authorization: `Bearer ${secret}` } : headers;
}
