import { encode } from 'uqr';
import type { SurveyAnswer } from '../../../contract/console/work.ts';
import { Icon } from '../../parts/icon.tsx';
import { Code } from '../../parts/values.tsx';

/** Offers the survey's address with the mark of a test lead, as a link and as a QR code. */
export function TryIt({ survey }: { readonly survey: SurveyAnswer }) {
  const { testAddress, isPublic, goesTo } = survey;
  const unmarked = goesTo.filter(({ testText }) => testText.includes('like real ones'));
  return (
    <div className="try-it">
      <QrCode text={testAddress} />
      <div className="try-it-words">
        <p>
          <a className="text-link" href={testAddress} target="_blank" rel="noreferrer">
            Open the survey as a test <Icon name="external" />
          </a>
        </p>
        <p>
          <Code>lp_action=test</Code> marks the lead as a test. It is stored, shown in Leads with
          “tests”, and counts in no number.
        </p>
        {unmarked.length > 0 && (
          <p>
            {unmarked.map(({ destination }) => destination).join(', ')} cannot tell it from a real
            one.
          </p>
        )}
        {!isPublic && (
          <p className="quiet">
            The code works on this machine only. Set <Code>PUBLIC_URL</Code> to open it on a phone.
          </p>
        )}
      </div>
    </div>
  );
}

/** Draws a QR code, dark on white in both schemes, as cameras expect it. */
export function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={`QR code of ${text}`}
    >
      <path d={path.join('')} />
    </svg>
  );
}
