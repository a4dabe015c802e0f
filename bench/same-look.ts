import type { Browser } from '@playwright/test';
import { answerOnce } from './phone-visit.ts';

/** The script of the plain page. The script replaces the tapped screen by the next screen. */
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

/** Returns the first screens of a survey as a plain HTML page with a short script. */
export async function sameLookPage(
  browser: Browser,
  surveyUrl: string,
  questions: number,
): Promise<string> {
  const document = await (await fetch(surveyUrl)).text();
  const screens: string[] = [];
  const page = await browser.newPage({ hasTouch: true });
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
    // Removes all scripts except the script that loads the heading's font.
    .replaceAll(/<script\b[\s\S]*?<\/script>/g, (script) =>
      script.includes('document.fonts') ? script : '',
    )
    .replace(/<template id="survey-next">[\s\S]*?<\/template>/, '')
    .replaceAll(/<noscript>[\s\S]*?<\/noscript>/g, '');
  return plain.replace('</body>', `${templates.join('')}<script>${swapScript}</script></body>`);
}
