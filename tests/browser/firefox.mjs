// The main actions of a reader and a scorer in Firefox, started by tests/browser/test_firefox.py.

import puppeteer from "puppeteer-core";

const [executablePath, origin, pages, game, file, table] = process.argv.slice(2);
const LONG = 60_000;
const wrong = [];

const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });
const page = await browser.newPage();
await page.setViewport({ width: 1280, height: 800 });
page.setDefaultTimeout(LONG);
page.on("pageerror", (error) => wrong.push(`${page.url()}: ${error}`));
page.on("console", (said) => {
  if (said.type() === "error") wrong.push(`${page.url()}: ${said.text()}`);
});

const text = (where) => page.$eval(where, (one) => one.textContent);
const until = (where, wanted) =>
  page.waitForFunction(
    (selector, part) => document.querySelector(selector)?.textContent.includes(part),
    {},
    where,
    wanted,
  );

try {
  for (const [path, wanted] of JSON.parse(pages)) {
    await page.goto(origin + path);
    await page.waitForSelector(wanted, { visible: true });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) wrong.push(`${path} is ${wide} too wide`);
    console.log(`opened ${path}`);
  }

  // A game is stepped through, guessed and commented on, on the server and in a file.
  for (const address of [`${origin}/games/${game}/5`, `${file}#t5`]) {
    await page.goto("about:blank");
    await page.goto(address);
    await page.waitForSelector("select.views");
    await until("h2", "Trick 5 of 26");
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(".played .face");
    await page.keyboard.press("c");
    await page.keyboard.type("Too high.");
    await page.click(".commenting [type=submit]");
    await until(".narration .comment", "Too high.");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("x");
    await page.waitForSelector(".hand button");
    await page.click(".hand button");
    await until(".guessing .score", "of 1 right");
    await page.keyboard.press("End");
    await page.waitForSelector(".verdict");
    console.log(`read ${address}`);
  }

  // A game is recorded: the engine starts, and a tap plays a card.
  await page.goto(table);
  for (const card of ["U7", "G5", "G8"]) {
    const key = await page.waitForSelector(`[data-card="${card}"]:not(:disabled)`);
    await key.click();
  }
  await page.waitForSelector(".status.safe");
  console.log(`recorded: ${(await text(".top")).slice(0, 60)}`);
} catch (error) {
  wrong.push(`${page.url()}: ${error}`);
}
await browser.close();
for (const one of wrong) console.error(one);
process.exit(wrong.length ? 1 : 0);
