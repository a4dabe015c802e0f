import type { Language } from '../../src/model/fields/language.ts';
import type { Testimonial } from './home-words.ts';

/** Quotes of real people. A home page without quotes displays `exampleTestimonials`. */
export const testimonials: Readonly<Record<Language, readonly Testimonial[]>> = { en: [], es: [] };

/** Invented quotes, which the page marks as examples. */
export const exampleTestimonials: Readonly<Record<Language, readonly Testimonial[]>> = {
  en: [
    {
      quote:
        'I didn’t know if it was worth calling anyone. The questions were short, and in ten minutes the lawyer told me what I could expect and what I couldn’t.',
      from: 'A driver, rear-ended, Texas',
    },
    {
      quote: 'They told me my case wasn’t one for their firms, and where I could ask instead.',
      from: 'A cyclist, Ohio',
    },
    {
      quote: 'Nobody pushed me. I hired the second lawyer I talked to.',
      from: 'A passenger, California',
    },
  ],
  es: [
    {
      quote:
        'No sabía si valía la pena llamar a alguien. Las preguntas fueron cortas, y el abogado me dijo en diez minutos qué podía esperar y qué no.',
      from: 'Una conductora, Texas',
    },
    {
      quote: 'Me dijeron que mi caso no era para sus bufetes, y en qué otro lugar podía preguntar.',
      from: 'Un ciclista, Ohio',
    },
    {
      quote: 'Nadie me presionó. Contraté al segundo abogado con quien hablé.',
      from: 'Una pasajera, California',
    },
  ],
};
