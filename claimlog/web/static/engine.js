// A worker: claimlog's own Python, which folds the entries of a table and judges them.

let engine;

/** Report to the page how many bytes have been fetched. */
function counting() {
  const plain = self.fetch.bind(self);
  let bytes = 0;
  self.fetch = async (...asked) => {
    const answer = await plain(...asked);
    if (!answer.body) return answer;
    const count = new TransformStream({
      transform(chunk, controller) {
        bytes += chunk.length;
        postMessage({ bytes });
        controller.enqueue(chunk);
      },
    });
    const { status, headers } = answer;
    return new Response(answer.body.pipeThrough(count), { status, headers });
  };
}

async function started({ vendor, archive }) {
  const { loadPyodide } = await import(`${vendor}/pyodide.mjs`);
  const [python, packed] = await Promise.all([
    loadPyodide({ indexURL: new URL(`${vendor}/`, location.href).href }),
    fetch(archive).then((answer) => answer.arrayBuffer()),
  ]);
  python.FS.writeFile("/claimlog.zip", new Uint8Array(packed));
  python.runPython("import sys; sys.path.insert(0, '/claimlog.zip')");
  return python.pyimport("claimlog.web.engine");
}

self.onmessage = async ({ data: { number, ask, value } }) => {
  try {
    if (ask === "start") {
      counting();
      engine = await started(value);
      postMessage({ number, answer: true });
    } else {
      postMessage({ number, answer: JSON.parse(engine[ask](JSON.stringify(value))) });
    }
  } catch (error) {
    postMessage({ number, error: String(error?.message ?? error) });
  }
};
