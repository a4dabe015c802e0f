import { useState } from 'react';
import type { LeadAction, LeadActionAnswer, LeadAnswer } from '../../../contract/console/leads.ts';
import { actionReasons } from '../../../contract/console/leads.ts';
import { useAction } from '../../api.ts';
import { announce } from '../../parts/announce.ts';
import { Button } from '../../parts/controls.tsx';
import { ActionDialog, Dialog } from '../../parts/dialog.tsx';
import { Card } from '../../parts/page.tsx';
import { reasonItems } from './words.ts';

const labels: Readonly<Record<LeadAction['action'], string>> = {
  release: 'Release',
  dismiss: 'Dismiss',
  suppress: 'Do not contact',
  erase: 'Erase',
};
const titles: Readonly<Record<LeadAction['action'], string>> = {
  release: 'Release this lead',
  dismiss: 'Dismiss this lead',
  suppress: 'Put this person on the do-not-contact list',
  erase: 'Erase this lead, for good',
};

type ActionsProps = { readonly data: LeadAnswer; readonly path: string };

/** Offers what can be done now, each with what it will do; then says why the rest is not possible. */
export function Actions({ data, path }: ActionsProps) {
  const [done, setDone] = useState<readonly string[]>([]);
  return (
    <Card title="Actions" className="lead-card lead-actions">
      <ul>
        {data.actions.toSorted(byPossibility).map((action) => (
          <li key={action.action}>
            <Act action={action} path={path} revision={data.lead.revision} onDone={setDone} />
          </li>
        ))}
      </ul>
      <Dialog title="Done" isOpen={done.length > 0} onClose={() => setDone([])}>
        {(close) => (
          <div className="dialog-form">
            {done.map((text) => (
              <p key={text}>{text}</p>
            ))}
            <footer className="dialog-foot">
              <Button onPress={close}>Close</Button>
            </footer>
          </div>
        )}
      </Dialog>
    </Card>
  );
}

function byPossibility(one: LeadAction, other: LeadAction): number {
  return Number(one.refusal !== '') - Number(other.refusal !== '');
}

type ActProps = {
  readonly action: LeadAction;
  readonly path: string;
  /** The revision that the operator sees: only that one is released. */
  readonly revision: number;
  readonly onDone: (done: readonly string[]) => void;
};

function Act({ action: { action, means, refusal }, path, revision, onDone }: ActProps) {
  const send = useAction<object, LeadActionAnswer>(`${path}/${action}`);
  if (refusal !== '') {
    return (
      <>
        <Button isDisabled>{labels[action]}</Button>
        <p className="quiet">{refusal}</p>
      </>
    );
  }
  return (
    <>
      <ActionDialog
        title={titles[action]}
        means={means}
        reasons={reasonItems(actionReasons[action])}
        confirmLabel={labels[action]}
        tone={action === 'release' ? 'primary' : 'danger'}
        trigger={<Button>{labels[action]}…</Button>}
        onConfirm={async (reason) => {
          const isReview = action === 'release' || action === 'dismiss';
          const body = isReview ? { reason, revision } : { reason };
          const answer = await send.mutateAsync(body);
          announce(answer.done.join(' '));
          onDone(answer.done);
        }}
      />
      <p className="quiet">{summaries[action]}</p>
    </>
  );
}

/** The consequence in one line; the dialog says all of it. */
const summaries: Readonly<Record<LeadAction['action'], string>> = {
  release: 'Sends the held lead to its destinations.',
  dismiss: 'Closes the held lead without sending it.',
  suppress: 'Stops every delivery about this person, now and later.',
  erase: 'Removes the person’s data. Proof of receipt and delivery stays.',
};
