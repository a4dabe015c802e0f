import type { LeadAnswer } from '../../../../model/messages/console/leads.ts';
import { capital, dollars } from '../../format.ts';
import { Card } from '../../parts/page.tsx';
import { Ago } from '../../parts/values.tsx';
import { codeText } from '../../parts/words.ts';

/** Shows what a lead cost and brought, with the entries of the ledger. */
export function MoneyCard({ money }: Pick<LeadAnswer, 'money'>) {
  if (money === null) return null;
  const { entries, revenue, cost, margin } = money;
  return (
    <Card title="Money">
      <div className="body">
        <p className="figure">{dollars(margin)}</p>
        <p className="quiet small">
          margin: {dollars(revenue)} revenue, {dollars(cost)} cost
        </p>
      </div>
      <ul className="lines small">
        {entries.map(({ id, kind, amount, at, buyer, source, reason }) => (
          <li key={id}>
            <div className="row spread">
              <strong>{capital(kind)}</strong>
              <span className="count">{dollars(amount)}</span>
            </div>
            <p className="quiet">
              {[buyer, `by ${source}`, codeText(reason)].filter(Boolean).join(' · ')} ·{' '}
              <Ago at={at} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
