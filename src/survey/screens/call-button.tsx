import { fill } from '../texts/fill.ts';
import type { ScreenProps } from './screen-props.ts';

/** The link that calls our phone number. */
export function CallButton({
  texts,
  settings,
}: {
  readonly texts: Pick<ScreenProps['texts'], 'controls'>;
  readonly settings: Pick<ScreenProps['settings'], 'phoneDisplay' | 'phoneHref'>;
}) {
  return (
    <a className="button" href={settings.phoneHref}>
      {fill(texts.controls.callNow, { phone: settings.phoneDisplay })}
    </a>
  );
}
