import type { BuyerAnswer } from '../../../../model/messages/console/buyers.ts';
import type { Cap } from '../../../../model/rules/buyer-terms.ts';
import { count, dollars } from '../../format.ts';
import { Ago } from '../../parts/values.tsx';

/** Shows how much of each cap is used, and when its period ends. */
export function Caps({ terms, uses }: Pick<BuyerAnswer, 'terms' | 'uses'>) {
  if (terms.caps.length === 0) return <span className="quiet">no cap</span>;
  return (
    <ul className="caps">
      {terms.caps.map((cap, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: caps have no names, and do not move
        <CapLine key={index} cap={cap} use={uses[index]} />
      ))}
    </ul>
  );
}

type CapLineProps = { readonly cap: Cap; readonly use: BuyerAnswer['uses'][number] | undefined };

function CapLine({ cap, use }: CapLineProps) {
  const { leads = 0, money = 0, until = null } = use ?? {};
  const [used, most] = cap.leads === undefined ? [money, cap.money ?? 0] : [leads, cap.leads];
  const text = cap.leads === undefined ? dollars : count;
  const per = cap.per === 'total' ? 'in all' : `a ${cap.per}`;
  return (
    <li className="fine">
      <span className="count">
        {text(used)} of {text(most)} {per}
      </span>
      {until !== null && (
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
