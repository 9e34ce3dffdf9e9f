// Keeps the page and its files on the phone.  Data never pass through here; the page keeps them in
// its own database.
//
// `KEPT` is inserted at the top by the server: the addresses of the page's files, and of
// third-party files, which seldom change.  The content of an address never changes.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const ALL = [...KEPT.page, ...KEPT.vendor];
const SHELL = "/tables";
const PAGE = `page-${KEPT.page[0].split("/")[2]}`;
const VENDOR = `vendor-${KEPT.vendor[0].split("/")[2]}`;

async function keep(name, addresses) {
  const cache = await caches.open(name);
  const there = new Set((await cache.keys()).map((request) => new URL(request.url).pathname));
  await Promise.all(
    addresses.filter((address) => !there.has(address)).map((address) => cache.add(address)),
  );
}

worker.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      // The page first: it can record even before the engine is there.
      const shell = await fetch(SHELL, { cache: "no-cache" });
      if (!shell.ok) throw new Error(`the page is ${shell.status}`);
      await keep(PAGE, KEPT.page);
      await (await caches.open(PAGE)).put(SHELL, shell);
      await worker.skipWaiting();
    })(),
  );
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name !== PAGE && name !== VENDOR) await caches.delete(name);
      }
      await worker.clients.claim();
    })(),
  );
});

// The page requests that the engine be kept, and is told when everything is there.
worker.addEventListener("message", (event) => {
  if (event.data !== "keep all") return;
  event.waitUntil(
    keep(VENDOR, KEPT.vendor).then(
      () => event.source.postMessage({ kept: true }),
      () => event.source.postMessage({ kept: false }),
    ),
  );
});

async function answered(request, path) {
  if (request.mode === "navigate") {
    const kept = await (await caches.open(PAGE)).match(SHELL);
    return kept ?? fetch(request);
  }
  if (ALL.includes(path)) {
    const name = KEPT.page.includes(path) ? PAGE : VENDOR;
    const cache = await caches.open(name);
    const kept = await cache.match(path);
    if (kept) return kept;
    const answer = await fetch(request);
    if (answer.ok) await cache.put(path, answer.clone());
    return answer;
  }
  return fetch(request);
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const shown = /^\/tables(\/[^/]+)?$/.test(url.pathname) && !url.searchParams.has("format");
  const page = request.mode === "navigate" && shown;
  if (page || url.pathname.startsWith("/static/")) {
    event.respondWith(answered(request, url.pathname));
  }
});
