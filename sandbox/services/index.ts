import type { SandboxContext, Service } from '../service.ts';
import { automationService } from './automation.ts';
import { clicksService } from './clicks.ts';
import { exchangeService } from './exchange.ts';
import { gibberishService } from './gibberish.ts';
import { contactService, ingestService } from './ingest.ts';
import { emailService, phoneService } from './ipqs.ts';
import {
  buyersService,
  estimateService,
  mappingService,
  prefillService,
  saveDataService,
  verificationService,
} from './lookups.ts';
import { callTrackingService, leadidService, pixelService } from './page-scripts.ts';
import { partnerService } from './partner.ts';
import { slackService } from './slack.ts';
import { type SentCode, smsService } from './sms.ts';
import { trustedformService } from './trustedform.ts';
import { visitorIpService } from './visitor-ip.ts';
import { webhookService } from './webhook.ts';
import { zipService } from './zip.ts';

/** Creates every stand-in, in the order of the page's list, and access to the sent SMS codes. */
export function allServices(context: SandboxContext): {
  services: Service[];
  codes: () => SentCode[];
} {
  const sms = smsService(context);
  const services = [
    ingestService(context),
    contactService(context),
    phoneService(context),
    emailService(context),
    sms.service,
    slackService(context),
    automationService(context),
    exchangeService(context),
    webhookService(context),
    zipService(),
    visitorIpService(context),
    gibberishService(),
    mappingService(context),
    buyersService(context),
    prefillService(),
    estimateService(),
    saveDataService(),
    verificationService(),
    clicksService(context),
    trustedformService(context),
    leadidService(context),
    callTrackingService(),
    pixelService(),
    partnerService(),
  ];
  return { services, codes: sms.codes };
}
