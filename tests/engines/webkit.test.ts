import { walkEngine } from './engine-walks.ts';
import { webKit } from './webdriver.ts';

walkEngine(webKit());
