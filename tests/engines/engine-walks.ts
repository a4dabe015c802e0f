/**
 * Most visitors use Safari, and some Firefox. These tests run two surveys, the offline queue and the site's
 * pages in a real WebKit and a real Firefox.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { contactFields } from '../../src/domain/contact-form.ts';
import { calendarDate } from '../../src/domain/dates.ts';
import { toBase64url } from '../../src/evidence/bytes.ts';
import { readZip } from '../../src/evidence/zip.ts';
import type { FlowPath } from '../../src/flows/engine/paths.ts';
import { surveyAt, surveyFacts } from '../../src/flows/surveys.ts';
import { v4 } from '../../src/flows/variants/v4.ts';
import { pathOf } from '../../src/site/site-map.ts';
import { keptInPage } from '../e2e/support/browser-storage.ts';
import { asVisitor } from '../e2e/support/visitors.ts';
import { stepsToWalk, walkInPage } from '../e2e/support/walk-in-page.ts';
import { answeredSteps, qualifiedWay } from '../support/ways.ts';
import { type Gate, openGate } from './gate.ts';
import {
  chooseFiles,
  formErrors,
  openMenu,
  sendEmptyForm,
  sitePages,
  standing,
} from './site-pages.ts';
import type { Engine, EngineWindow } from './webdriver.ts';

const run = promisify(execFile);
const stack = inject('engineStack');
let gate: Gate;

const today = calendarDate(new Date(), 'America/New_York');
let visitors = 0;

/** Returns a qualified path, each time for another visitor. */
function wayAt(path: string): FlowPath {
  const survey = surveyAt(path);
  if (!survey) throw new Error(`no survey at ${path}`);
  const context = { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: [] } };
  visitors += 1;
  return asVisitor(answeredSteps(v4, qualifiedWay(v4, context)), visitors);
}

/** Opens a survey, and waits until React is ready. */
async function openSurvey(window: EngineWindow, path: string): Promise<void> {
  await window.goto(gate.url + path);
  await window.run(async () => {
    const isAlive = () =>
      [...document.querySelectorAll('[data-step] *')].some((element) =>
        Object.keys(element).some((key) => key.startsWith('__react')),
      );
    while (!isAlive()) await new Promise((resolve) => setTimeout(resolve, 10));
    const seen = globalThis as { testLeadId?: string };
    addEventListener('survey:step', (event) => {
      seen.testLeadId = (event as CustomEvent<{ lead_id: string }>).detail.lead_id;
    });
  }, null);
}

/** Answers every question without pressing the last button. @returns the lead's id */
async function fill(window: EngineWindow, way: FlowPath): Promise<string> {
  await window.run(walkInPage, stepsToWalk(v4, way));
  return window.run(() => (globalThis as { testLeadId?: string }).testLeadId ?? '', null);
}

/** Presses the button after the driver's answer, because the page then closes. */
function pressLastButton(window: EngineWindow): Promise<unknown> {
  return window.run(() => {
    setTimeout(() => document.querySelector<HTMLElement>('[data-step] [type=submit]')?.click(), 20);
  }, null);
}

/** Returns how often the ingest service accepted a lead. */
async function effectsOf(leadId: string): Promise<number[]> {
  const answer = await fetch(`${stack.sandboxUrl}/_sandbox/effects?service=ingest&key=${leadId}`);
  return ((await answer.json()) as { count: number }[]).map(({ count }) => count);
}

/** The narrowest supported phone in CSS pixels, and the narrowest WebKit window: its toolbar limits it. */
const PHONE_WIDTH = 360;
const NARROWEST_WINDOW = 450;
const soon = { timeout: 60_000, interval: 100 };
const expectDelivered = (leadId: string) =>
  vi.waitFor(async () => expect(await effectsOf(leadId)).toEqual([1]), soon);
const expectNothingKept = (window: EngineWindow) =>
  vi.waitFor(async () => {
    const kept = await window.run(keptInPage, null);
    expect(kept).not.toMatch(/Sandoval|red light/);
  }, soon);

/**
 * Tests one engine, called from a separate test file for each. A missing engine is skipped with the
 * reason.
 */
export function walkEngine({ name, missing, open }: Engine): void {
  if (missing) {
    test.skip(`skipped: ${name} is not installed: ${missing}`);
    return;
  }
  let window: EngineWindow;
  beforeAll(async () => {
    gate = await openGate(stack.url);
  });
  afterAll(() => gate.close());
  beforeEach(async () => {
    window = await open();
  });
  afterEach(() => window?.close());

  test.each(['/survey/v4nv', '/survey/v4'])(
    '%s: from the first tap to the thank-you page',
    async (path) => {
      await openSurvey(window, `${path}?s1=abc`);
      const leadId = await fill(window, wayAt(path));
      expect(leadId).toMatch(/^[0-9a-f-]{36}$/);
      await pressLastButton(window);
      await vi.waitFor(async () => {
        const shown = await window.run(
          () => [
            location.pathname,
            document.querySelector('[data-thank-you]')?.getAttribute('data-thank-you'),
          ],
          null,
        );
        expect(shown).toEqual(['/survey-thank-you/', 'qualified']);
      }, soon);
      await expectDelivered(leadId);
      await expectNothingKept(window);
      await vi.waitFor(async () => {
        const search = await window.run(() => location.search, null);
        expect(search).not.toMatch(/email|phone|zip_code/);
      }, soon);
      expect(window.errors()).toEqual([]);
    },
  );

  test('offline at the last tap: the lead is stored, and sent from the next page once online', async () => {
    await openSurvey(window, '/survey/v4nv');
    const leadId = await fill(window, wayAt('/survey/v4nv'));
    gate.cut();
    await pressLastButton(window);
    // The lead is in the browser's database; if that cannot be read, the page was left after the write.
    await vi.waitFor(async () => {
      const kept = await window.run(keptInPage, null).catch(() => 'left');
      expect(kept).toMatch(/"kind":"post"|^left$/);
    }, soon);
    await vi.waitFor(() => expect(gate.refused()).toBeGreaterThan(0), soon);
    expect(await effectsOf(leadId)).toEqual([]);
    gate.mend();
    await window.goto(`${gate.url}/survey/v4nv`);
    await expectDelivered(leadId);
    await expectNothingKept(window);
  });

  test('offline: the pack of a lead of this browser is verified by the page, and by the page in it', async () => {
    await openSurvey(window, '/survey/v4nv');
    const leadId = await fill(window, wayAt('/survey/v4nv'));
    await pressLastButton(window);
    await expectDelivered(leadId);
    const folder = await mkdtemp(join(tmpdir(), 'engine-pack-'));
    try {
      const file = join(folder, 'pack.zip');
      const env = { ...process.env, DATA_DIR: stack.dataDir };
      await run(
        process.execPath,
        ['src/cli/leads.ts', 'evidence', leadId, '--for', 'ingest', '--out', file],
        { cwd: join(import.meta.dirname, '../..'), env },
      );
      const pack = Uint8Array.from(await readFile(file));
      const page = join(folder, 'verify.html');
      await writeFile(page, readZip(pack).get('verify.html') ?? '');
      const keys = await (await fetch(`${stack.url}/.well-known/evidence/keys.json`)).arrayBuffer();
      const files = [
        ['keys', toBase64url(new Uint8Array(keys))],
        ['pack', toBase64url(pack)],
      ] as const;
      const verdict = () =>
        window.run(() => document.querySelector('.report:not([hidden]) h2')?.textContent, null);
      for (const address of [gate.url + pathOf('verify', 'en'), pathToFileURL(page).href]) {
        gate.mend();
        await window.goto(address);
        gate.cut();
        await window.run(chooseFiles, files);
        await vi.waitFor(
          async () => expect(await verdict()).toBe('Genuine, as far as it was checked'),
          soon,
        );
      }
      gate.mend();
      expect(window.errors()).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('every page of the site fits a small phone, with its menu and its form', async () => {
    await window.resize(PHONE_WIDTH, 780);
    for (const path of sitePages) {
      await window.goto(stack.url + path);
      const { heading, width, beyond } = await window.run(standing, null);
      expect(heading, path).not.toBe('');
      expect(width, path).toBeGreaterThanOrEqual(PHONE_WIDTH);
      expect(width, path).toBeLessThanOrEqual(NARROWEST_WINDOW);
      expect(beyond, path).toBe(0);
    }
    await window.goto(stack.url);
    expect(await window.run(openMenu, null)).toEqual(
      expect.arrayContaining(['Home', 'Timeline of a claim', 'Contact']),
    );
    await window.goto(`${stack.url}/contact/`);
    await vi.waitFor(async () => {
      // If posted before the script is ready, the form comes back without focus.
      await window.run(sendEmptyForm, null);
      const errors = await window.run(formErrors, null);
      expect(errors).toEqual({ inRed: contactFields, cursorIn: contactFields[0] });
    }, soon);
    expect(window.errors()).toEqual([]);
  });
}
