// SPDX-License-Identifier: Apache-2.0
/** Returns the rules of the findings that the playground shows, by opening their pages. */
export async function shownRules(page) {
  await page.waitForSelector(".findings .said button.plain");
  const buttons = page.locator(".findings .said button.plain");
  const rules = [];
  for (let index = 0; index < (await buttons.count()); index += 1) {
    await page.evaluate(() => document.querySelectorAll(".scroll > h3").forEach((it) => it.remove()));
    // The findings are hidden while a page is shown.
    await buttons.nth(index).evaluate((it) => it.click());
    await page.waitForSelector(".scroll > h3");
    rules.push(await page.textContent(".scroll > h3"));
  }
  return rules;
}
