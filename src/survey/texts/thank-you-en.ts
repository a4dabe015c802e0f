/** The words of the thank-you pages in English. */
import type { Texts } from './texts.ts';

export const thankYou = {
  qualifiedTitle: 'Thank you. You\u00a0have done your part.',
  qualifiedLead: 'A law firm will look over what you told us and get in touch with you.',
  disqualifiedTitle: 'Thank you for telling us what happened.',
  disqualifiedLead:
    'Our firms probably can’t take this case, so don’t wait for a call. Another lawyer may see it differently. Here’s who can help.',
  nextTitle: 'What happens next',
  qualifiedSteps: [
    'Someone from a law firm will call you, usually within one working day.',
    'You tell them about your accident. The call is free, and you can ask anything.',
    'If you both agree, the firm takes your case. You owe no fee unless you win.',
  ],
  asked: {
    title: 'What the caller will ask',
    items: [
      'Where and when the accident happened',
      'Where you are hurt, and which doctors you have seen',
      'Who else was there: drivers, passengers, witnesses',
      'Which insurance you and the other driver have',
      'Whether the police came, and whether an insurer has called you',
    ],
  },
  papers: {
    title: 'Have these ready, if you have them',
    items: [
      'The police report or its number',
      'Your insurance card',
      'The other driver’s name, plate and insurance',
      'Photos of the cars, the place and your injuries',
      'Medical bills and records, and proof of missed pay',
    ],
  },
  today: [
    {
      title: 'Today, for your health',
      items: [
        'If something hurts or feels wrong, see a doctor. Call 911 for a bad headache, fainting, numbness or trouble breathing.',
        'Go to every appointment, and take what was prescribed.',
        'Write down each day what hurts and what you can’t do.',
      ],
    },
    {
      title: 'Today, for your claim',
      items: [
        'Keep everything: photos, bills, letters, witnesses’ names.',
        'You don’t have to give the other driver’s insurer a recorded statement, or sign anything before you’ve asked a lawyer.',
        'Don’t post about the accident online.',
      ],
    },
  ],
  // The heading of the call card.
  callTitle: 'Your call',
  // Who calls: a firm not known by name; nobody, where nothing was sent; firms known by name.
  caller: 'A law firm will call you, usually within one working day.',
  callerUnsent: 'Law firms call only people who asked for a call.',
  callers: '{firms} will call you, usually within one working day.',
  ownNumber: 'The call comes from a law firm’s number, not from ours.',
  ourNumber: 'Our number, for questions',
  saveNumber: 'Save our number',
  // To someone who could choose law firms and chose none (docs/specification.md#later-choice).
  noFirm: {
    title: 'You chose no firm, so none will call.',
    lead: 'We saved your answers. No firm will call unless you choose one.',
    // Where nothing can be chosen any more, or no script runs.
    call: 'Changed your mind? Call us and ask for a law firm.',
    legend: 'Changed your mind? Choose who may call you.',
    // About a single firm, and the label of its box.
    ofOne: 'Changed your mind? May {firm} call you?',
    yes: 'Yes',
    button: 'Ask for a call',
    missing: 'Tick a box first.',
    // In place of `title` and `lead`, where a choice was made but may have come too late.
    lateTitle: 'Your choice didn’t get through in time.',
    lateLead: 'Don’t count on a call from a law firm. Call us and ask for one.',
  },
  // The visitor’s own copy of the answers.
  copy: {
    title: 'Your answers',
    note: 'Only this page has this copy. It is gone when you close or leave it.',
    print: 'Print or save',
  },
  stateTitle: 'Two next steps in your state',
  ownStateTitle: 'Two next steps in {state}',
  // The first of the two steps, where the state is not known.
  findDeadline: 'Know your time limit. It depends on the state: choose yours below.',
  deadline:
    'In {state} the usual deadline for an injury claim is {years} years from the day of the accident.',
  deadlineOfOne:
    'In {state} the usual deadline for an injury claim is one year from the day of the accident.',
  since: 'This is for accidents on or after {day}.',
  deadlineNote:
    'General information as of November 2026, not advice about your case. Some deadlines are much shorter, such as for a claim against a city or a state.',
  askBar: 'Ask the {state} bar association',
  askDirectory: 'Find free legal help and lawyer referrals in your state',
  otherStates: 'Choose a state',
  // To someone who opens the page without having sent anything.
  unsentTitle: 'We can’t see any answers here',
  unsentLead:
    'This window has no answers to our questions. If you sent yours from another one, a law firm may still call you. You can also start here, or call us.',
  // How to take the consent back, up to the words that link to the form for it.
  takeBack: 'Changed your mind? Reply STOP to a text, tell the caller, or',
  takeBackLink: 'ask us not to share your information',
  unsentStart: 'Start the questions',
  call: 'Questions? Call us:',
  partner: 'See other ways to get help',
  partnerNote: 'Another company may be able to help. It is not a law firm that we work with.',
  statusReceived: 'We have received your answers.',
  statusWaiting: 'Your answers are saved on this device. We’re still sending them…',
  statusStopped:
    'Your answers are saved on this device, but we couldn’t send them. Please call us.',
};

/** What the pages of some surveys say otherwise, by path. */
export const thankYouPages: Texts['thankYouPages'] = {
  // Name and email address came first there, the number last.
  '/survey-thank-you-v3b/': {
    qualifiedTitle: 'Thank you. That was the last question.',
    qualifiedLead:
      'Your number was the last thing we needed. A law firm will look over what you told us and call you.',
  },
  // They began with a guess at what the case is worth.
  '/survey-v5-thank-you/': {
    qualifiedLead:
      'A law firm will look over what you told us and get in touch with you. Your figure at the start was a guess: what a claim can bring depends on your injury, your care and the insurance.',
    qualifiedSteps: [
      'Someone from a law firm will call you, usually within one working day.',
      'You tell them about your accident. The call is free. Ask what a claim like yours can bring, and why.',
      'If you both agree, the firm takes your case. You owe no fee unless you win.',
    ],
    asked: {
      title: 'What the caller will ask',
      items: [
        'Where and when the accident happened',
        'Where you are hurt, and which doctors you have seen',
        'What it has cost you so far: bills, missed pay, the car',
        'Which insurance you and the other driver have',
        'Whether the police came, and whether an insurer has called you',
      ],
    },
  },
  // They pressed “Get started”.
  '/survey-thank-you-v7/': {
    qualifiedTitle: 'You got started. Now it’s our turn.',
    qualifiedLead:
      'A law firm will look over what you told us and call you. Here’s what helps until then.',
  },
};
