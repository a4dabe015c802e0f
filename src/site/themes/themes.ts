import type { ThemeName } from '../../domain/look.ts';
import { clay } from './characters/clay.ts';
import { dusk } from './characters/dusk.ts';
import { ember } from './characters/ember.ts';
import { harbor } from './characters/harbor.ts';
import { lagoon } from './characters/lagoon.ts';
import { meadow } from './characters/meadow.ts';
import { paper } from './characters/paper.ts';
import { pine } from './characters/pine.ts';
import { signal } from './characters/signal.ts';
import { sky } from './characters/sky.ts';
import { slate } from './characters/slate.ts';
import { wine } from './characters/wine.ts';
import type { Theme } from './theme.ts';

/** Every theme by its name. */
export const themes: Readonly<Record<ThemeName, Theme>> = {
  default: pine,
  harbor,
  clay,
  meadow,
  dusk,
  slate,
  signal,
  wine,
  lagoon,
  paper,
  sky,
  ember,
};
