import { fill } from '../texts/fill.ts';
import type { ScreenProps } from './screen-props.ts';
import { sendingWords } from './sending-overlay.tsx';

/**
 * The end step of a flow: what shows while the lead is on its way and until the thank-you page loads
 * (readings, "Steps"). Where the flow goes on only after the post, it offers to try at once.
 */
export function SendingScreen({ texts, sending, settings, on }: ScreenProps) {
  const { controls } = texts;
  return (
    <div className="sending">
      {sending !== 'refused' && <span className="spinner" aria-hidden="true" />}
      <p role="status" aria-live="polite" data-sending={sending}>
        {sendingWords(texts, sending)}
      </p>
      {sending === 'trying' && (
        <button type="button" className="next" onClick={on.tryNow}>
          {controls.tryNow}
        </button>
      )}
      {sending === 'refused' && <CallButton texts={texts} settings={settings} />}
    </div>
  );
}

/** A result: what the answers given mean, in plain words, and the way to call. */
export function ResultScreen({ name, texts, answers, settings }: ScreenProps) {
  const given: Readonly<Record<string, string>> = answers;
  const notes = Object.entries(texts.steps[name]?.notes ?? {}).filter(([answer]) => {
    const [field = '', value] = answer.split('=');
    return given[field] === value;
  });
  return (
    <>
      {notes.length > 0 && (
        <ul className="notes">
          {notes.map(([answer, note]) => (
            <li key={answer}>{note}</li>
          ))}
        </ul>
      )}
      <CallButton texts={texts} settings={settings} />
    </>
  );
}

function CallButton({ texts, settings }: Pick<ScreenProps, 'texts' | 'settings'>) {
  return (
    <a className="next" href={settings.phoneHref}>
      {fill(texts.controls.callNow, { phone: settings.phoneDisplay })}
    </a>
  );
}
