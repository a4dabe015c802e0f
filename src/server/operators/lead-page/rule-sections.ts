/** Which section of the specification states a rule. */

/** The section of each rule, by its name. */
export const RULE_SECTIONS: Readonly<Record<string, string>> = {
  incident_date: 'accident-date',
  days_from_incident_date: 'accident-date',
  months_from_incident_date: 'accident-date',
  accident_within_last_year: 'accident-date',
  'treatment.forced': 'forced-treatment',
  'fault.partial': 'partial-fault',
  enough_words: 'case-description',
  is_gibberish: 'gibberish-check',
  bad_words: 'blocked-terms',
  'hit_and_run.addition': 'hit-and-run',
  accident_limit_exceeded: 'statute-of-limitations',
  lead_is_qualified: 'lead-is-qualified',
  do_not_send_to_dq: 'do-not-send-to-dq',
  funding_interest: 'funding-interest',
  'routing.special_state': 'special-states',
  'routing.after_yes': 'prior-offense',
  'lawyer.reason_means_yes': 'lawyer-reason',
  'lawyer.reason_not_known': 'lawyer-reason',
};

/** Returns the section that states a rule; empty for a rule of an earlier version that we do not know. */
export function ruleSection(rule: string): string {
  return rule.startsWith('qualification.') ? 'qualification' : (RULE_SECTIONS[rule] ?? '');
}
