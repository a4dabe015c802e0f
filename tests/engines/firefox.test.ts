import { walkEngine } from './engine-walks.ts';
import { firefox } from './webdriver.ts';

walkEngine(firefox());
