// Checks again and again whether this phone trusts the server, as that may change meanwhile.
const server = /** @type {HTMLElement} */ (document.querySelector("main")).dataset.server;

async function ask() {
  let trusted = false;
  try {
    await fetch(`${server}/health`, { mode: "no-cors", cache: "no-store" });
    trusted = true;
  } catch {
    // The certificate, or no connection: the page says what to do about either.
  }
  for (const name of ["asking", "trusted", "untrusted"]) {
    /** @type {HTMLElement} */ (document.getElementById(name)).hidden =
      name !== (trusted ? "trusted" : "untrusted");
  }
  setTimeout(ask, trusted ? 30_000 : 3_000);
}

ask();
