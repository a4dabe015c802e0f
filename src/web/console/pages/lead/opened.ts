import { useState } from 'react';
import type { LeadAnswer } from '../../../../model/messages/console/leads.ts';
import { apiPost } from '../../api.ts';

/** The personal data of a lead, which the operator has opened. */
export type Opening = {
  readonly answer: LeadAnswer | undefined;
  readonly reason: string;
  readonly open: (reason: string) => Promise<void>;
  readonly close: () => void;
};

/** Stores the personal data that the operator opens, until the page is left. */
export function useOpened(path: string): Opening {
  const [opened, setOpened] = useState<{ answer: LeadAnswer; reason: string }>();
  return {
    answer: opened?.answer,
    reason: opened?.reason ?? '',
    open: async (reason) => {
      setOpened({ answer: await apiPost<LeadAnswer>(`${path}/open`, { reason }), reason });
    },
    close: () => setOpened(undefined),
  };
}

/** Merges the newest answer of the server with the personal data that the operator opened. */
export function merged(fresh: LeadAnswer, opened: LeadAnswer | undefined): LeadAnswer {
  if (opened === undefined || fresh.lead.state === 'erased') return fresh;
  const entries = new Map(opened.story.map((entry) => [entry.id, entry]));
  const { name, phone, email, survey, usState, affiliate } = opened.lead;
  const isSame = fresh.lead.revision === opened.lead.revision;
  const states = ({ deliveries }: LeadAnswer) => deliveries.map(({ state }) => state).join();
  const isAsBefore = fresh.lead.state === opened.lead.state && states(fresh) === states(opened);
  return {
    ...fresh,
    isOpened: true,
    ...(isAsBefore && { outcome: opened.outcome, deliveries: opened.deliveries }),
    lead: isSame ? { ...fresh.lead, name, phone, email, survey, usState, affiliate } : fresh.lead,
    fields: isSame ? opened.fields : fresh.fields,
    story: fresh.story.map((entry) => {
      const known = entries.get(entry.id);
      return known?.kind === entry.kind && known.at === entry.at ? known : entry;
    }),
  };
}
