import type { ScreenEvents } from './screen-props.ts';

const nothing = () => undefined;

/** The events of a screen that is only drawn. */
export const noEvents: ScreenEvents = {
  choose: nothing,
  toggle: nothing,
  edit: nothing,
  leave: nothing,
  submit: nothing,
  tryNow: nothing,
  back: nothing,
  startOver: nothing,
};
