import type { ScreenEvents } from './screen-props.ts';

const nothing = () => undefined;

/** For screens that nobody can tap. */
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
