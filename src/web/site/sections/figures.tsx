import outlines from 'virtual:state-outlines';
import type { ReactNode } from 'react';
import { figureWords } from '../../../../content/figures.ts';
import type { Language } from '../../../model/fields/language.ts';
import { limitationTable, presentYears } from '../../../model/rules/limitation.ts';
import { CrashDrawing } from '../../survey/page/art/crash.tsx';
import { Drawing } from '../../survey/page/art/drawing.tsx';
import { limitsText, yearsText } from '../../survey/texts/law-facts.ts';
import { fill } from '../../survey/texts/shared.ts';

type InLanguage = { readonly language: Language };

const figures: Readonly<Record<string, (props: InLanguage) => ReactNode>> = {
  timeline: Timeline,
  claims: Claims,
  deductions: Deductions,
  body: Body,
  crashes: Crashes,
};

/** Renders the drawing `{figure:name}` of a guide. Throws for an unknown name. */
export function Figure({ name, language }: InLanguage & { readonly name: string }) {
  const Part = figures[name];
  if (!Part) throw new Error(`There is no figure called ${name}`);
  return <Part language={language} />;
}

/** The parts of a claim as stops on a line, and the deadline to sue as its end. */
function Timeline({ language }: InLanguage) {
  const { caption, stops } = figureWords[language].timeline;
  return (
    <figure className="figure box">
      <ol className="stops">
        {stops.map(({ title, text }) => (
          <li key={title}>
            <strong>{fill(title, limitsText(language))}</strong> {text}
          </li>
        ))}
      </ol>
      <figcaption className="muted">{caption}</figcaption>
    </figure>
  );
}

/** Shows which insurer pays, for each kind of claim. */
function Claims({ language }: InLanguage) {
  const drawings = ['claim-own', 'claim-other'] as const;
  return (
    <ul className="figure tiles">
      {figureWords[language].claims.map(({ title, text }, index) => (
        <li key={title}>
          <Drawing name={drawings[index] ?? ''} className="tile" />
          <strong>{title}</strong> {text}
        </li>
      ))}
    </ul>
  );
}

/** The deductions from a settlement, numbered like the list below it. */
function Deductions({ language }: InLanguage) {
  const { caption, yours } = figureWords[language].deductions;
  return (
    <figure className="figure box">
      <div className="deductions" aria-hidden="true">
        <b>1</b>
        <b>2</b>
        <b>3</b>
        <b>4</b>
        <strong>{yours}</strong>
      </div>
      <figcaption className="muted">{caption}</figcaption>
    </figure>
  );
}

/** A body with numbered regions. */
function Body({ language }: InLanguage) {
  const { caption, regions } = figureWords[language].body;
  return (
    <figure className="figure box body-map">
      <Drawing name="body" className="tile" />
      <ol>
        {regions.map((region) => (
          <li key={region}>{region}</li>
        ))}
      </ol>
      <figcaption className="muted">{caption}</figcaption>
    </figure>
  );
}

/** Four ways to be careless, as crashes seen from above. */
function Crashes({ language }: InLanguage) {
  const words = figureWords[language].crashes;
  return (
    <ul className="figure tiles tiles--small">
      {(['rear', 'light', 'left', 'onFoot'] as const).map((name) => (
        <li key={name}>
          <CrashDrawing name={name} />
          {words[name]}
        </li>
      ))}
    </ul>
  );
}

/** The outline of a state in the colours of the scenes. */
export function StateOutline({ name }: { readonly name: string }) {
  const outline = outlines[name];
  return (
    outline && (
      <svg className="outline" viewBox={outline.viewBox} aria-hidden="true">
        <path d={outline.path} />
      </svg>
    )
  );
}

/** Returns a state's opacity on the map: the shorter the deadline, the stronger. */
function strength(years: number): number {
  return 1 - Math.min(years - 1, 5) * 0.17;
}

const statesOfMap = limitationTable.map((state) => ({
  years: presentYears(state),
  path: outlines[state.name]?.path,
}));

/** A map of all states. The shorter a state's deadline to sue, the stronger its colour. */
export function StateMap() {
  return (
    <svg className="state-map" viewBox="0 0 975 610" aria-hidden="true">
      {statesOfMap.map(({ years, path }) => (
        <path key={path} d={path} fillOpacity={strength(years)} />
      ))}
    </svg>
  );
}

/** The map with its legend. Screen readers skip it and read the table below it. */
export function DeadlineMap({ language }: InLanguage) {
  const found = new Set(statesOfMap.map(({ years }) => years));
  return (
    <div className="figure box" aria-hidden="true">
      <StateMap />
      <p className="legend">
        <strong>{figureWords[language].timeToSue}</strong>
        {[...found].toSorted().map((years) => (
          <span key={years}>
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d="M0 0h16v16H0z" fillOpacity={strength(years)} />
            </svg>
            {yearsText(years, language)}
          </span>
        ))}
      </p>
    </div>
  );
}
