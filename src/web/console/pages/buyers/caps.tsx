import type { BuyerAnswer } from '../../../../model/messages/console/buyers.ts';
import { count, dollars } from '../../format.ts';
import { Ago } from '../../parts/values.tsx';

/** Shows how much of each cap is used, and when its period ends. */
export function Caps({ uses }: Pick<BuyerAnswer, 'uses'>) {
  if (uses.length === 0) return <span className="quiet">no cap</span>;
  return (
    <ul className="caps">
      {uses.map((use) => (
        <CapLine key={JSON.stringify(use.cap)} {...use} />
      ))}
    </ul>
  );
}

function CapLine({ cap, leads, cents, until }: BuyerAnswer['uses'][number]) {
  const [used, most] = cap.leads === undefined ? [cents / 100, cap.money ?? 0] : [leads, cap.leads];
  const text = cap.leads === undefined ? dollars : count;
  const per = cap.per === 'total' ? 'in all' : `a ${cap.per}`;
  return (
    <li className="fine">
      <span className="count">
        {text(used)} of {text(most)} {per}
      </span>
      {until !== undefined && (
        <span className="quiet count">
          {' '}
          · resets <Ago at={until} />
        </span>
      )}
      <span className="cap-used" data-tone={used < most ? 'accent' : 'warning'}>
        <span style={{ width: `${most > used ? (100 * used) / most : 100}%` }} />
      </span>
    </li>
  );
}
