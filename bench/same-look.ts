import type { Browser } from '@playwright/test';
import { answerOnce } from './phone-visit.ts';

/**
 * Puts the next screen in the place of the one whose answer was tapped, as the plain page does
 * (plain-html/page.ts).
 */
const swapScript = `
var number = 0;
document.getElementById('survey').addEventListener('click', function (event) {
  var button = event.target.closest('button');
  var next = document.getElementById('screen-' + (number + 1));
  if (!button) return;
  event.preventDefault();
  if (!next) return;
  number += 1;
  this.replaceChildren(next.content.cloneNode(true));
});
addEventListener('load', function () {
  setTimeout(function () { document.querySelector('link[disabled]').disabled = false; });
});
`;

/**
 * The survey's page as plain HTML: its own document, markup and style to the letter, with the screens of its
 * first answers in templates and some hundred bytes of script that show one after the other; the style of the
 * later screens is fetched after the first, as the survey does. Nothing is checked, kept or told to anybody:
 * what it costs is what the look costs, whoever draws it.
 *
 * @param questions how many, the first included
 */
export async function sameLookPage(
  browser: Browser,
  surveyUrl: string,
  questions: number,
): Promise<string> {
  const document = await (await fetch(surveyUrl)).text();
  const screens: string[] = [];
  const page = await browser.newPage();
  await page.goto(surveyUrl, { waitUntil: 'networkidle' });
  for (let count = 1; count <= questions; count += 1) {
    await answerOnce(page);
    screens.push(await page.locator('#survey').innerHTML());
  }
  await page.close();
  const templates = screens.map(
    (html, index) => `<template id="screen-${index + 1}">${html}</template>`,
  );
  const plain = document
    .replaceAll(/<script\b[\s\S]*?<\/script>/g, '')
    .replace(/<template id="survey-next">[\s\S]*?<\/template>/, '')
    .replaceAll(/<noscript>[\s\S]*?<\/noscript>/g, '');
  return plain.replace('</body>', `${templates.join('')}<script>${swapScript}</script></body>`);
}
