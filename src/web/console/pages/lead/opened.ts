import { useEffect, useState } from 'react';
import type { LeadAnswer } from '../../../../model/messages/console/leads.ts';
import { apiPost } from '../../api.ts';

/** After the tab was hidden for this time, the page masks the personal data. */
const AWAY_MS = 10 * 60_000;

/** The personal data of a lead, which the operator has opened. */
export type Opening = {
  readonly answer: LeadAnswer | undefined;
  readonly reason: string;
  readonly open: (reason: string) => Promise<void>;
  readonly close: () => void;
};

/** Stores the opened personal data until the tab was hidden for ten minutes. */
export function useOpened(path: string): Opening {
  const [opened, setOpened] = useState<{ answer: LeadAnswer; reason: string }>();
  const isOpened = opened !== undefined;
  useEffect(() => {
    if (!isOpened) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hiddenAt = Date.now();
    const onChange = () => {
      clearTimeout(timer);
      // Compares two times, because browsers may stop the timer of a hidden tab.
      if (!document.hidden && Date.now() - hiddenAt >= AWAY_MS) setOpened(undefined);
      if (!document.hidden) return;
      hiddenAt = Date.now();
      timer = setTimeout(() => setOpened(undefined), AWAY_MS);
    };
    document.addEventListener('visibilitychange', onChange);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onChange);
    };
  }, [isOpened]);
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
