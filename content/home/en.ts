import type { HomeWords } from './home-words.ts';

/** The home page in English. */
export const homeEn: HomeWords = {
  metaTitle: 'Hurt in a car accident? See if you may have a claim',
  description:
    'Answer a few questions and see if a personal-injury law firm may help you after a car accident. Free, in plain words, and no fee unless you win.',
  heading: 'Hurt in a crash? Find out where you stand.',
  lead: 'Answer a few plain questions. If law firms can help, up to five may call you. The first call is free, and you decide.',
  promise:
    'Who calls? Up to five personal-injury law firms, and only if you ask. They pay us for your answers. We are not a law firm, and you owe us nothing.',
  questionLabel: 'First question',
  nextTitle: 'What happens next',
  nextLead: 'Three steps, and you can stop after any of them.',
  next: [
    {
      title: 'You answer a few questions',
      text: 'What happened, when, and how you were hurt. One question at a time, in about two minutes. You can go back and change any answer.',
    },
    {
      title: 'Law firms look at it',
      text: 'If firms on our list take cases like yours, up to five get your answers and may call and text you, each from its own number. If none does, we tell you right away.',
    },
    {
      title: 'You decide',
      text: 'Ask anything you like on the first call. It’s free. If you hire the firm, you agree in writing that it gets paid only if you win.',
    },
  ],
  whyTitle: 'Why choose us',
  why: [
    {
      title: 'Expertise',
      text: 'We ask what an injury lawyer asks first, so the firm that calls already knows what kind of case it is. Our guides name the laws they rely on.',
    },
    {
      title: 'Personalized service',
      text: 'Your answers go to firms that work in your state and take your kind of accident, to five at most.',
    },
    {
      title: 'Free initial consultation',
      text: 'The first call with a firm costs nothing and commits you to nothing. You never pay us, before or after.',
    },
  ],
  honestTitle: 'What we are, and what we are not',
  honest: [
    'We are not a law firm, and we do not give legal advice.',
    'Law firms pay us for your answers and your number. You pay us nothing.',
    'You can see what we keep about you, and have it erased at any time.',
    'We do not rank or recommend lawyers. The choice is yours.',
    'We can’t promise that a firm will take your case.',
  ],
  honestLink: 'How we work and who pays us',
  testimonialsTitle: 'What people say',
  testimonialsExamples:
    'Examples, in this demo only. The live site shows real people’s words, or none.',
  exampleLabel: 'Example (demo only)',
  guidesTitle: 'Read before you sign anything',
  guidesLead: 'Plain guides, with sources, for the weeks after a crash.',
  guides: {
    timeline: {
      title: 'How long a claim takes',
      text: 'What happens in the first hours, weeks and months, and the dates you can’t miss.',
    },
    settlements: {
      title: 'What a settlement pays for',
      text: 'What makes it larger or smaller, and what comes off before you are paid.',
    },
    'filing-claim': {
      title: 'How to file a claim',
      text: 'Who to tell, what to send, what not to sign, and when a lawyer is worth it.',
    },
  },
  deadlineTitle: 'There is a deadline',
  deadlineText:
    'Every state sets a deadline to sue, from {shortest} to {longest}. Miss it, and you usually lose the right to sue.',
  deadlineLink: 'Look up your state',
  lastTitle: 'Two minutes now can save you weeks of guessing.',
  lastText: 'Rather talk? Call us, and ask anything first.',
};
