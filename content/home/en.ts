import type { HomeWords } from './home-words.ts';

/** The home page in English. */
export const homeEn: HomeWords = {
  metaTitle: 'Hurt in a car accident? See if you may have a claim',
  description:
    'Answer a few questions and see if a personal-injury law firm may help you after a car accident. Free, in plain words, and no fee unless your lawyer wins.',
  heading: 'Hurt in a crash? Find out where you stand.',
  lead: 'A few plain questions. If a law firm in our network may be able to help, it calls you. The first call is free, and you decide what happens then.',
  promise:
    'Who calls: a personal-injury law firm, because you asked. We are not a law firm, and you owe us nothing.',
  questionLabel: 'First question',
  nextTitle: 'What happens next',
  nextLead: 'Three steps, and you can stop after each.',
  next: [
    {
      title: 'You answer a few questions',
      text: 'What happened, when, and how you were hurt. One question at a time, in about two minutes. You can go back and change any answer.',
    },
    {
      title: 'A law firm looks at it',
      text: 'If your answers fit what a firm in our network takes on, it gets them and calls you at the number that you gave. If none fits, we say so right away.',
    },
    {
      title: 'You decide',
      text: 'Ask whatever you like in the first call. It is free. If you hire the firm, it is paid only when you win, as you agree in writing.',
    },
  ],
  whyTitle: 'Why choose us',
  why: [
    {
      title: 'Expertise',
      text: 'We ask what an injury lawyer asks first, so the firm that calls you already knows the kind of case. Our guides name the statute for what they say.',
    },
    {
      title: 'Personalized service',
      text: 'Your answers go to a firm that works in your state and on your kind of accident, not to whoever calls first.',
    },
    {
      title: 'Free initial consultation',
      text: 'The first call with a firm costs nothing and binds you to nothing. You never pay us, before or after.',
    },
  ],
  honestTitle: 'What we are, and what we are not',
  honest: [
    'We are not a law firm, and we do not give legal advice.',
    'Law firms pay us for advertising. You do not.',
    'We do not rank or recommend lawyers. The choice is yours.',
    'We cannot promise that a firm takes your case.',
  ],
  honestLink: 'How we work and who pays us',
  testimonialsTitle: 'What people say',
  testimonialsExamples:
    'These are examples of what such words look like here. Nobody has said them. Real ones will stand here when people have given us theirs.',
  exampleLabel: 'Example',
  guidesTitle: 'Read before you sign anything',
  guidesLead: 'Plain guides with their sources, for the weeks after a crash.',
  deadlineTitle: 'There is a last day',
  deadlineText:
    'Every state has a deadline for a lawsuit, from {shortest} to {longest}. After it a claim is worth nothing.',
  deadlineLink: 'Look up your state',
  lastTitle: 'Two minutes now can save you weeks of guessing.',
  lastText: 'Rather talk? Call, and ask what you want to know first.',
};
