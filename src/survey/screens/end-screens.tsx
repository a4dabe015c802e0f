import { CallButton } from './call-button.tsx';
import type { ScreenProps } from './screen-props.ts';
import { SendingStatus } from './sending-status.tsx';

/**
 * The end step of a flow: what shows while the lead is on its way and until the thank-you page loads
 * (docs/specification.md#end-steps).
 */
export function SendingScreen({ texts, sending, settings, on }: ScreenProps) {
  return (
    <div className="sending">
      <SendingStatus texts={texts} sending={sending} settings={settings} on={on} />
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
