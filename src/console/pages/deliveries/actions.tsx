/** What an operator can do about a destination: pause, resume, recover what failed. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { DestinationAnswer, Plan, PlanRequest } from '../../../contract/console/work.ts';
import { useAction } from '../../api.ts';
import { count } from '../../format.ts';
import { Button, TextInput } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { usePeriod } from '../../shell/period.tsx';

type Props = { readonly destination: DestinationAnswer };
type Because = { readonly reason: string };

/** Pauses the destination. */
export function PauseAction({ destination: { name, title, receives, expiresAt } }: Props) {
  const pause = useAction<Because>(`/api/destinations/${name}/pause`);
  return (
    <ActionDialog
      title={`Pause deliveries to ${title}`}
      trigger={<Button icon="pause">Pause</Button>}
      means={
        <p>
          No server sends anything more to {title} until a person resumes it. Sends in progress end.{' '}
          {expiresAt === null
            ? `New ${receives} wait, and none is lost.`
            : `Certificates expire after 3 days: resume before ${expiresAt}.`}
        </p>
      }
      confirmLabel="Pause"
      onConfirm={(reason) => pause.mutateAsync({ reason })}
    />
  );
}

/** Resumes the destination. */
export function ResumeAction({ destination }: Props) {
  const { name, title, receives, waiting, retrying, pausedBy } = destination;
  const resume = useAction<Because>(`/api/destinations/${name}/resume`);
  const queued = waiting + retrying;
  return (
    <ActionDialog
      title={`Resume deliveries to ${title}`}
      trigger={
        <Button icon="play" tone="primary">
          Resume
        </Button>
      }
      means={
        <p>
          {queued === 0 ? `Nothing waits; new ${receives} go` : `${count(queued)} ${receives} go`}{' '}
          to {title} at once.
          {pausedBy === 'answer' &&
            ' If it still refuses our account, it is paused again after one answer.'}{' '}
          {destination.lost}
        </p>
      }
      confirmLabel="Resume"
      onConfirm={(reason) => resume.mutateAsync({ reason })}
    />
  );
}

/** Makes a plan that sends everything again that failed since a day. */
export function RecoverAction({ destination: { name, title, dead } }: Props) {
  const { from } = usePeriod();
  const [since, setSince] = useState(from);
  const make = useAction<PlanRequest, Plan>('/api/plans');
  const navigate = useNavigate();
  const recover = async (reason: string) => {
    const request = { action: 'resend', reason, recover: { destination: name, since } } as const;
    const plan = await make.mutateAsync(request);
    void navigate({ to: '/plans/$id', params: { id: plan.id } } as never);
  };
  return (
    <ActionDialog
      title={`Recover deliveries to ${title}`}
      trigger={<Button>Recover {count(dead)} failed</Button>}
      means={
        <p>
          This makes a plan of all deliveries to {title} that were given up since a day. You see the
          exact list first; nothing is sent before you start it. What {title} has taken or already
          knows is left out.
        </p>
      }
      confirmLabel="Make the plan"
      onConfirm={recover}
    >
      <TextInput label="Given up since" type="date" value={since} onChange={setSince} />
    </ActionDialog>
  );
}
