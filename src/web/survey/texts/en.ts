import { compensationBands } from '../../../model/rules/compensation.ts';
import { chosen, type ListTexts, list, type QuestionTexts } from './shared.ts';

const thankYou = {
  qualifiedTitle: 'Thank you. You\u00a0have done your part.',
  qualifiedLead: 'A law firm will look over what you told us and get in touch with you.',
  disqualifiedTitle: 'Thank you for telling us what happened.',
  disqualifiedLead:
    'Our firms probably can’t take this case, so don’t wait for a call. Another lawyer may see it differently. Here’s who can help.',
  asked: list(
    'What the caller will ask',
    'Where and when the accident happened',
    'Where you are hurt, and which doctors you have seen',
    'Who else was there: drivers, passengers, witnesses',
    'Which insurance you and the other driver have',
    'Whether the police came, and whether an insurer has called you',
  ),
  papers: list(
    'Have these ready, if you have them',
    'The police report or its number',
    'Your insurance card',
    'The other driver’s name, plate and insurance',
    'Photos of the cars, the place and your injuries',
    'Medical bills and records, and proof of missed pay',
  ),
  today: [
    list(
      'Today, for your health',
      'If something hurts or feels wrong, see a doctor. Call 911 for a bad headache, fainting, numbness or trouble breathing.',
      'Go to every appointment, and take what was prescribed.',
      'Write down each day what hurts and what you can’t do.',
    ),
    list(
      'Today, for your claim',
      'Keep everything: photos, bills, letters, witnesses’ names.',
      'You don’t have to give the other driver’s insurer a recorded statement, or sign anything before you’ve asked a lawyer.',
      'Don’t post about the accident online.',
    ),
  ],
  callTitle: 'Your call',
  // Who calls. `callerUnsent`: this visitor sent no lead. `callers`: the visitor chose the firms.
  caller: 'A law firm will call you, usually within one working day.',
  callerUnsent: 'Law firms call only people who asked for a call.',
  callers: '{firms} will call you, usually within one working day.',
  ownNumber: 'The call comes from a law firm’s number, not from ours.',
  ourNumber: 'Our number, for questions',
  saveNumber: 'Save our number',
  // For visitors who could choose law firms and chose none (docs/specification.md#later-choice).
  noFirm: {
    title: 'You chose no firm, so none will call.',
    lead: 'We saved your answers. No firm will call unless you choose one.',
    // For visitors who are too late to choose, or whose browser runs no script.
    call: 'Changed your mind? Call us and ask for a law firm.',
    legend: 'Changed your mind? Choose who may call you.',
    // The question about a single firm, and the label of its checkbox.
    ofOne: 'Changed your mind? May {firm} call you?',
    yes: 'Yes',
    button: 'Ask for a call',
    missing: 'Tick a box first.',
    // Replace `title` and `lead` if the visitor's choice may have come too late.
    lateTitle: 'Your choice didn’t get through in time.',
    lateLead: 'Don’t count on a call from a law firm. Call us and ask for one.',
  },
  copy: {
    title: 'Your answers',
    note: 'Only this page has this copy. It is gone when you close or leave it.',
    print: 'Print or save',
  },
  stateTitle: 'Two next steps in your state',
  ownStateTitle: 'Two next steps in {state}',
  // The first step for a visitor whose state is unknown.
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
  // For visitors who open the page without having sent a lead.
  unsentTitle: 'We can’t see any answers here',
  unsentLead:
    'This window has no answers to our questions. If you sent yours from another one, a law firm may still call you. You can also start here, or call us.',
  // How to withdraw consent. The link `takeBackLink` ends the sentence.
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

/** Texts that differ on the thank-you pages of some surveys, by path. */
const thankYouPages: Texts['thankYouPages'] = {
  // This survey asks for name and email address first, and for the number last.
  '/survey-thank-you-v3b/': {
    qualifiedTitle: 'Thank you. That was the last question.',
    qualifiedLead:
      'Your number was the last thing we needed. A law firm will look over what you told us and call you.',
  },
  // These surveys begin with the compensation estimator.
  '/survey-v5-thank-you/': {
    qualifiedLead:
      'A law firm will look over what you told us and get in touch with you. Your figure at the start was a guess: what a claim can bring depends on your injury, your care and the insurance.',
  },
  // These surveys begin with the button “Get started”.
  '/survey-thank-you-v7/': {
    qualifiedTitle: 'You got started. Now it’s our turn.',
    qualifiedLead:
      'A law firm will look over what you told us and call you. Here’s what helps until then.',
  },
};

const injuries = {
  'Back or Neck Pain': 'Back or neck pain',
  Whiplash: 'Whiplash',
  'Broken Bones': 'Broken bones',
  'Head Injury': 'Head injury',
  'Spinal Cord Injury': 'Spinal cord injury',
  'Loss of Limb': 'Loss of an arm or leg',
  'Cuts or Bruises': 'Cuts or bruises',
  Other: 'Another injury',
};

// Shown under the first question, so it must be true for every outcome.
const whoCalls = 'About 2 minutes. A law firm calls only if you ask at the end.';
// Why the survey asks for a name and an e-mail address.
const whyNamed = 'So the law firm knows who to ask for. We won’t send marketing email.';
const wrongName = {
  too_long: 'Enter a shorter name.',
  doubtful: 'This name has a number in it. If that’s right, press the button again.',
};
const numberToCall = {
  question: 'What’s the best number to reach you?',
  submit: 'Get my free case review',
};
const chooseOne = chosen('Choose an answer.');

/** Texts of buttons, notes and messages that many steps share. */
const controls = {
  next: 'Continue',
  back: 'Back',
  startOver: 'Start over',
  deleteAnswers: 'Yes, delete my answers',
  // For visitors who come back after they sent a lead.
  sent: 'You’ve already sent your answers, and there’s nothing more to do. Answering again starts a new claim.',
  resumed: 'Welcome back. You can pick up where you left off.',
  optional: 'optional',
  // Buttons beside a probably mistyped e-mail address: take the suggestion, or keep the typed one.
  correct: 'Use {email}',
  keepMine: 'Keep mine',
  // Replaces a contact step if the accident's date or the fault decides the case.
  early: {
    title: 'Before you go on',
    date: 'This accident was probably too long ago for our firms. Another lawyer may see it differently. Here’s who can help.',
    fault:
      'Our firms help people hurt through someone else’s fault, so they probably can’t take this case. Another lawyer may see it differently. Here’s who can help.',
    was: 'In {state}, the usual deadline for a claim like this was {day}.',
    is: 'In {state}, the usual deadline for a claim like this is {day}.',
    askBar: 'Ask the {state} bar association',
    askDirectory: 'Find legal help in your state',
    send: 'Still send my answers',
  },
  progress: 'Your progress',
  percent: '{percent}% done',
  percentNoSign: '{percent} of 100 done',
  stageOf: '{stage} · {position} of 4',
  choose: 'Choose',
  dayUnknown: 'Not sure',
  // Label above the buttons that insert a first sentence into the description.
  starters: 'Tap to add:',
  counter: '{count} / {limit}',
  counterLeft: 'About {left} characters left',
  counterOver: 'Too long by {over}. At most {limit} characters.',
  estimateNote:
    'Not an offer or a promise. What a claim is worth depends on its facts, and it can be nothing.',
  firstQuestionHeader: 'Free · No fee unless you win · Stop at any time',
  lastStepHeader: 'Last step',
  socialProof: 'You’re not alone. People across the country start here after an accident.',
  security:
    'Your answers are sent over a secure connection. We use them to find a law firm for your case.',
  // Shown if contact fields are prefilled (docs/specification.md#prefill).
  prefilled: 'Anything already filled in came with the link you followed.',
  callNow: 'Call {phone}',
  tryNow: 'Try now',
  sendingTitle: 'One moment, please',
  sendingStates: {
    sending: 'We’re sending your answers…',
    // Also shown before the page knows that it is offline, so it must not say "sending".
    saved: 'Your answers are saved. One moment, please…',
    unsaved:
      'Please keep this page open. We couldn’t save your answers on this device, and we’re still sending them…',
    // Only in surveys that continue after the post has succeeded.
    trying:
      'Your answers haven’t gone through yet. They’re safe on this device, and we’re still trying.',
    offline:
      'You’re offline. Your answers are safe on this device. Keep this page open, and they go out as soon as you’re back online. You can also call us.',
    refused: 'We couldn’t send your answers. Please call us at the number on this page.',
  },
};

const code = {
  title: 'Check your phone',
  sending: 'We are sending a code to {phone} by text message, only to confirm that it’s yours.',
  about: 'We sent a code to {phone} by text message, only to confirm that it’s yours.',
  label: '6-digit code',
  confirm: 'Confirm',
  resend: 'Send a new code',
  // The countdown beside `resend`, until a new code may be requested.
  resendIn: 'in {seconds} s',
  change: 'Change the number',
  skip: 'I can’t get the code. Continue without it.',
  // Announced to screen readers as polite status messages.
  notes: {
    sent: 'The code was sent. It can take a minute.',
    checking: 'Checking the code…',
    resent: 'We sent a new text message.',
    resendReady: 'You can ask for a new code now.',
  },
  errors: {
    tooShort: 'Enter all 6 digits of the code.',
    wrong: 'That’s not the code we sent. Check it and try again.',
    expired: 'This code has expired. Ask for a new one.',
    tooManyTries: 'That was too many tries. Send a new code, or continue without it.',
    noMore: 'We can’t send more codes right now. Please continue without one.',
    tooManyCodes: 'We can’t send more codes right now. Enter the last one, or continue without it.',
    refused: 'This number can’t get our texts. Change the number, or continue without the code.',
  },
};

/** Texts of the page around the survey. */
const page = {
  title: 'Free car accident case review',
  description:
    'Answer a few simple questions about your accident and see if you may have a claim. Free, no obligation.',
  skipToQuestion: 'Skip to the question',
  callUs: 'Call us',
  panelTitle: 'What happens from here',
  panelSteps: [
    'You answer a few short questions.',
    'If a law firm may be able to help, it calls you.',
    'You talk for free, and you decide what comes next.',
  ],
  // The short legal notice under a question. `legalMore` is its link to the full text.
  legalLine: 'Attorney advertising. Not a law firm.',
  stopAnyTime:
    'You can stop at any question. No law firm gets your answers or your number unless you send them.',
  legalMore: 'Read more',
  // Why the server refused a form that was posted without a script.
  formProblemTitle: 'Your answers didn’t get through',
  formProblems: {
    no_visit:
      'We couldn’t find your answers. We keep them for one day, and only if your browser accepts our cookie. Please start again, or call us.',
    unreadable:
      'Please go back one page, check what you wrote and send it again. A shorter text may help.',
    foreign_page:
      'To keep you safe, we only accept answers given on our own pages. Please start from the first question.',
    too_many:
      'That was a little too fast. Please wait a minute, then reload this page. Your answers are safe.',
    unavailable:
      'Please reload this page in a moment. If your browser asks, let it send the form again. Your earlier answers are safe.',
  },
  startAgain: 'Go to the first question',
  notLawFirm:
    '{company} is not a law firm and does not give legal advice. Using this site does not make you anyone’s client.',
  noEndorsement:
    '{company} does not endorse or recommend any lawyer or law firm in its network and does not check their qualifications. The choice of a lawyer is an important decision and should not be based on advertising alone.',
  jointAdvertising:
    'Attorney advertising. This site is a joint advertisement paid for by the lawyers and law firms on our list of',
  footerNavigation: 'Legal information',
  links: {
    sponsors: 'sponsors',
    privacy: 'Privacy policy',
    california: 'California residents',
    terms: 'Terms of use',
    doNotSell: 'Do not sell my information',
  },
};

export type ControlTexts = typeof controls;
export type CodeTexts = typeof code;
export type PageTexts = typeof page;

/** Texts of a survey that is not about an accident. */
type SubjectTexts = Pick<PageTexts, 'title' | 'description' | 'panelTitle' | 'panelSteps'> & {
  /** Texts that differ on the thank-you page. */
  readonly thankYou?: Partial<ThankYouTexts>;
};

/** Texts of a thank-you page. If `asked` is undefined, no law firm will call. */
export type ThankYouTexts = Omit<typeof thankYou, 'asked'> & {
  readonly asked?: ListTexts | undefined;
};

/** All survey texts in one language. Each language has one file. */
export type Texts = QuestionTexts & {
  /** The answers of all yes-or-no fields. */
  readonly yesNo: { readonly yes: string; readonly no: string };
  readonly controls: ControlTexts;
  readonly code: CodeTexts;
  /** Texts of the page around the survey, rendered only on the server. */
  readonly page: PageTexts;
  /** Texts of flows that are not about an accident, by flow id. */
  readonly subjects: Readonly<Record<string, SubjectTexts | undefined>>;
  readonly thankYou: ThankYouTexts;
  /** Texts that differ on some thank-you pages, by path (docs/specification.md#thank-you-pages). */
  readonly thankYouPages: Readonly<Record<string, Partial<ThankYouTexts> | undefined>>;
};

/** English texts. Tone: short words and sentences, no blame, no promises. */
export const en: Texts = {
  steps: {
    StartPath: { question: 'What type of accident were you in?', help: whoCalls },
    AutoAccidentCaseWorth: {
      question: 'How much do you think your case could be worth?',
      help: 'Your best guess is fine. There’s no wrong answer.',
    },
    WhenWasTheAccident: {
      question: 'When did the accident happen?',
      help: 'Not sure? Your best guess is fine.',
    },
    AtFault: {
      question: 'Who was at fault?',
      help: 'Were you a passenger? Your own driver counts as someone else.',
    },
    WasUserInjured: {
      question: 'What hurts most?',
      help: 'Pick the one that bothers you most.',
      choices: { 'physical_injury=No': 'I was not hurt' },
    },
    ActiveInsurancePolicy: { question: 'Did you have car insurance on the day of the accident?' },
    MissedWork: { question: 'Have you missed work because of your injury?' },
    SpeakingWithADoctor: { question: 'Would you like to speak with a doctor about your injury?' },
    DidYouReceiveMedicalTreatment: {
      question: 'Have you seen a doctor or had medical care?',
      help: 'An ambulance, the ER, a clinic or a chiropractor all count.',
    },
    WillingToTreat: {
      question: 'Would you be willing to see a doctor?',
      help: 'Some injuries take a few days to show.',
    },
    PoliceReportFiled: { question: 'Did the police file a report?' },
    HasLawyer: { question: 'Do you have a lawyer for this accident?' },
    ConfirmationHasLawyer: {
      question: 'Just to be sure: has a lawyer already agreed to take your case?',
    },
    InterestedInFunding: {
      question: 'Would a cash advance on your case help you?',
      help: 'A case can take months, and bills don’t wait. The next few questions are about money until it ends.',
    },
    FundingAmount: { question: 'How much money would help you right now?' },
    HasCaseBeenSettled: {
      question: 'Has your case already been settled?',
      help: 'Settled means you agreed to a payment and the case is over.',
    },
    HasReceivedFunding: { question: 'Have you already had a cash advance on this case?' },
    LawFirmDetails: { question: 'Which law firm is helping you?' },
    IncidentDescription: {
      question: 'What happened?',
      help: 'One short sentence is enough, like “A truck hit me from behind.”',
      // First sentences for the description. The visitor continues the text after them.
      starters: [
        ['Rear-ended', 'I was hit from behind. '],
        ['Left turn', 'The other car turned left in front of me. '],
        ['Parked', 'My car was parked when it was hit. '],
      ],
      startersOnFoot: [
        ['Crossing', 'I was hit while crossing the street. '],
        ['Roadside', 'I was hit at the side of the road. '],
        ['Parking lot', 'I was hit in a parking lot. '],
      ],
    },
    HitAndRunIdentified: { question: 'Has the driver who left been found?' },
    UninsuredMotoristCoverage: {
      question: 'Does your own insurance cover accidents with uninsured drivers?',
      help: 'Look for “uninsured motorist” or “UM” on your policy.',
    },
    NameAndEmail: { question: 'What’s your name and email?', help: whyNamed },
    DateOfBirth: { question: 'What’s your date of birth?' },
    PhoneAndZip: numberToCall,
    ZipCode: { question: 'Where do you live?', help: 'Who can help depends on where you live.' },
    PhoneAndBuyersConsent: { ...numberToCall, submitWithoutFirm: 'Send without choosing a firm' },
    OtherDriversVehicleType: { question: 'What was the other driver driving?' },
    TypeOfMedicalTreatment: {
      question: 'What medical care have you had?',
      help: 'More than one? Choose the most serious.',
      choices: { 'doctor_treatment=no': 'None so far' },
    },
    SocialDropPII: {
      question: 'Who should a law firm ask for?',
      help: 'An email helps if they can’t reach you by phone.',
    },
    WereYouInAMotorVehicleAccident: {
      question: 'Were you in a motor vehicle accident?',
      help: 'Cars, trucks, buses and motorcycles all count, even if you were on foot or on a bicycle.',
    },
    'variant-e/WereYouInAMotorVehicleAccident': {
      question: 'Were you in a motor vehicle accident?',
      help: whoCalls,
    },
    'sl-v2/NameAndEmail': { question: 'What’s your name and email?', help: whoCalls },
    DidYouRequireMedicalTreatment: {
      question: 'Did you need medical care after the accident?',
      help: 'An ambulance, the ER, a clinic or a chiropractor all count.',
    },
    WillYouRequireMedicalTreatment: {
      question: 'Will you need medical care for your injury?',
      help: 'Your best guess is fine.',
    },
    AccidentResultInMedicalTreatment: {
      question: 'Did you get medical care because of the accident?',
      help: 'An ambulance, the ER, a clinic or a chiropractor all count.',
    },
    TypeOfAccident: { question: 'What type of accident were you in?' },
    PendingDUICharges: {
      question: 'Are you facing a drunk or drugged driving charge?',
      help: 'It’s often called a DUI or DWI.',
    },
    TypeOfAlcoholTestPerformed: { question: 'Which alcohol test did the police give you?' },
    BACMeasuredByTest: {
      question: 'What alcohol level did the test show?',
      help: 'Look for “BAC” on the paper the police gave you.',
    },
    UserHasDUI: {
      question: 'Have you been charged with drunk driving before?',
      help: 'Any earlier alcohol charge counts, no matter how long ago.',
    },
    DUIIncidentDescription: {
      question: 'What happened?',
      help: 'How were you stopped? One short sentence is enough.',
      labels: { case_description: 'How you were stopped' },
    },
    HowWasUserHurt: { question: 'Were you hurt in the accident?' },
    DescribeInjuries: {
      question: 'What hurts most?',
      help: 'Pick the one that bothers you most. You can tell the rest on the call.',
    },
    End: { question: 'Almost done' },
    'vw3/StartPath': {
      question: 'Hurt in a car accident? See if you may have a claim.',
      help: whoCalls,
      submit: 'Start now',
      promises: {
        steps: 'Short questions, one at a time',
        free: 'Free. No fee unless you win',
        private: 'Stop at any time',
      },
    },
    GetStartedFirstStep: {
      question: 'Let’s get started',
      help: 'First the accident, then your injury.',
      submit: 'Get started',
    },
    StartPathTicket: {
      question: 'What did you get the ticket for?',
      help: 'About 2 minutes. A lawyer calls only if you ask at the end.',
    },
    StartTicketFlow: { question: 'Was there an accident?' },
    TicketReceived: {
      question: 'Do you have the ticket yet?',
      help: 'On paper, by mail or on your phone.',
    },
    SelectState: { question: 'Which state did you get the ticket in?' },
    SelectDate: {
      question: 'When did you get the ticket?',
      help: 'It’s on the ticket. Not sure? Your best guess is fine.',
    },
    DoYouHaveAttorney: { question: 'Do you have a lawyer for this ticket?' },
    'ticket/IncidentDescription': {
      question: 'What happened?',
      help: 'How did you get it? One short sentence is enough.',
      labels: { case_description: 'How you got the ticket' },
    },
    NameAndEmailTicket: { question: 'Who got the ticket?', help: whyNamed },
    'ticket/PhoneAndZip': {
      question: 'What’s the best number to reach you?',
      submit: 'Get my free ticket review',
    },
    'benefits/StartPath': {
      question: 'See which benefits you could apply for',
      help: 'Two short questions. No name needed.',
      submit: 'Start now',
    },
    SelectAgeGroup: { question: 'How old are you?' },
    USCitizen: { question: 'Are you a citizen of the United States?' },
    SecuredBenefits: {
      question: 'What your answers mean',
      help: 'This is general information. Each program has more rules, and only the program can decide.',
      notes: {
        'ageGroup=under_18': 'Under 18, a parent or guardian has to apply with you or for you.',
        'ageGroup=18_to_25':
          'At your age, most benefits depend on your income, your health and your family.',
        'ageGroup=26_to_49':
          'At your age, most benefits depend on your income, your health and your family.',
        'ageGroup=50_to_64':
          'From age 50, some disability rules are easier to meet. Social Security retirement can start at 62.',
        'ageGroup=65_or_more':
          'At 65, most people can get Medicare. You may also be able to get Social Security retirement.',
        'isUSCitizen=yes': 'You meet the citizenship rule that many programs have.',
        'isUSCitizen=no':
          'Some programs are only for citizens. Others are open to many people who live here legally.',
      },
    },
    FormFirstQuestions: { question: 'About the accident' },
    FormSecondQuestions: {
      question: 'What happened to you?',
      labels: {
        injury_month: 'Month of the accident',
        injury_year: 'Year of the accident',
        case_description: 'What happened? (one sentence)',
      },
    },
    FormThirdQuestions: {
      question: 'How can a lawyer reach you?',
      submit: 'Get my free case review',
    },
    OnePageForm: {
      question: 'Tell us about your accident',
      help: whoCalls,
      submit: 'Get my free case review',
      labels: {
        injury_year: 'Year of the accident',
        case_description: 'What happened? (one sentence)',
      },
    },
    Disqualified: {
      question: 'Thank you for telling us what happened.',
      help: 'Going by your answers, the law firms in our network may not be able to take this case. Another lawyer may see it differently. Claims have deadlines, so ask soon.',
    },
  },
  yesNo: { yes: 'Yes', no: 'No' },
  choices: {
    accident_type: {
      'Car Accident': 'Car',
      'Truck Accident': 'Semi or big truck',
      'Motorcycle Accident': 'Motorcycle',
      'Pedestrian Accident': 'On foot',
      'Bicycle Accident': 'Bicycle',
      Other: 'Other',
    },
    at_Fault: { no: 'Someone else', yes: 'I was' },
    partial_fault: { yes: 'Both, or not sure', no: 'No' },
    specific_injury: injuries,
    physical_injury: { Yes: 'Yes, I was hurt', No: 'No, I was not hurt' },
    lawyer_redirect_reason: {
      'have_attorney|yes': 'Yes',
      'have_attorney|yes_but_I_want_a_new_lawyer': 'Yes, but I want a new lawyer',
    },
    funding_amount: {
      under_2500: 'Less than $2,500',
      '2500_to_5000': '$2,500 to $5,000',
      '5000_to_10000': '$5,000 to $10,000',
      over_10000: 'More than $10,000',
    },
    uninsured_motorist_coverage: { yes: 'Yes', no: 'No, or I don’t know' },
    other_vehicle_type: {
      Car: 'Car',
      'SUV or Pickup': 'SUV or pickup',
      'Commercial Truck': 'Semi or big truck',
      Motorcycle: 'Motorcycle',
      Bus: 'Bus',
      Other: 'Something else',
    },
    accident_date_button: {
      'Within 1 Week': 'Within the last week',
      'Within 1 Month': 'Within the last month',
      'Within 6 Months': 'Within the last 6 months',
      'Within 1 Year': 'Within the last year',
      'Within 2 Years': 'Within the last 2 years',
      'Over 2 Years': 'More than 2 years ago',
    },
    type_of_medical_treatment: {
      'Emergency Room': 'Emergency room',
      'Doctor or Clinic': 'Doctor or clinic',
      'Chiropractor or Physical Therapy': 'Chiropractor or physical therapy',
      Surgery: 'Surgery',
    },
    when_seek_medical_treatment: {
      first_week: 'In the first week',
      first_month: 'In the first month',
      later: 'Later',
      not_yet: 'Not yet',
    },
    injury_type: { ...injuries, 'No Injury': 'I was not hurt' },
    type_of_alcohol_test_performed: {
      breath_test: 'Breath test',
      blood_test: 'Blood test',
      urine_test: 'Urine test',
      field_sobriety_test: 'Roadside test, like walking a line',
      no_test: 'No test',
      refused_test: 'I refused the test',
    },
    bac_level: {
      under_0_08: 'Under 0.08',
      '0_08_to_0_14': '0.08 to 0.14',
      '0_15_or_more': '0.15 or more',
      dont_know: 'I don’t know',
    },
    ticket_type: {
      Speeding: 'Speeding',
      'Red Light or Stop Sign': 'Red light or stop sign',
      'Careless Driving': 'Careless driving',
      'Phone Use': 'Using a phone',
      'License or Insurance': 'License or insurance',
      Other: 'Something else',
    },
    ageGroup: {
      under_18: 'Under 18',
      '18_to_25': '18 to 25',
      '26_to_49': '26 to 49',
      '50_to_64': '50 to 64',
      '65_or_more': '65 or older',
    },
  },
  fields: {
    injury_month: {
      label: 'Month',
      errors: { ...chosen('Choose the month.'), in_future: 'Choose today or an earlier date.' },
    },
    injury_year: {
      label: 'Year',
      errors: { ...chosen('Choose the year.'), in_future: 'Choose today or an earlier date.' },
    },
    injury_day: {
      label: 'Day',
      hint: 'if you know it',
      errors: {
        invalid: 'Choose a day of that month.',
        in_future: 'Choose today or an earlier day.',
      },
    },
    current_compensation: {
      label: 'My estimate in dollars',
      errors: {
        required: 'Set the amount to your best guess.',
        invalid: 'Enter an amount up to 250,000.',
      },
    },
    law_firm_name: {
      label: 'Name of the law firm',
      errors: { required: 'Enter the name of the law firm.', too_long: 'Enter a shorter name.' },
    },
    law_firm_phone: {
      label: 'Phone number of the law firm',
      errors: {
        required: 'Enter the law firm’s phone number.',
        too_short: 'Enter all 10 digits of the phone number, or leave it empty.',
        too_many_digits: 'A US phone number has 10 digits. Take out the rest, or leave it empty.',
        area_code: 'US area codes don’t start with 1. Check the number.',
        invalid: 'Enter a 10-digit US phone number, or leave it empty.',
        not_reachable: 'This number doesn’t seem to work. Check it, or leave it empty.',
      },
    },
    case_description: {
      label: 'What happened in the accident',
      errors: {
        required: 'Tell us in a few words what happened.',
        too_short: 'Tell us a little more: at least 4 words and 20 characters.',
        too_few_words: 'Tell us a little more: at least 4 words and 20 characters.',
        too_long: 'Make the text shorter.',
      },
    },
    hit_and_run: {
      label: 'Did the other driver leave without stopping?',
      errors: chosen('Choose yes or no.'),
    },
    first_name: {
      label: 'First name',
      errors: { required: 'Enter your first name.', ...wrongName },
    },
    last_name: { label: 'Last name', errors: { required: 'Enter your last name.', ...wrongName } },
    email: {
      label: 'Email',
      errors: {
        required: 'Enter your email address.',
        invalid: 'Enter an email address like name@example.com.',
        no_at: 'An email address needs an @, like name@example.com.',
        has_space: 'An email address has no spaces. Take them out.',
        several: 'Enter only one email address.',
        too_long: 'Enter a shorter email address.',
        not_reachable: 'This address doesn’t seem to work. Check it for typos.',
        doubtful: 'Did you mean {email}?',
      },
    },
    phone: {
      label: 'Phone number',
      errors: {
        required: 'Enter your phone number.',
        too_short: 'Enter all 10 digits of your phone number.',
        too_many_digits: 'That’s more than 10 digits. A US phone number has 10.',
        area_code: 'US area codes don’t start with 1. Check the number.',
        invalid: 'Enter a 10-digit US phone number.',
        not_reachable: 'This number doesn’t seem to work. Check each digit.',
      },
    },
    zip_code: {
      label: 'Zip code',
      errors: {
        required: 'Enter your zip code.',
        too_short: 'Enter a US zip code: 5 digits.',
        invalid: 'Enter a US zip code: 5 digits.',
        unknown_zip: 'We can’t find this zip code. Check each digit.',
      },
    },
    selected_buyers: {
      label: 'Tick each law firm that may call you.',
      ofOne: { question: 'May {firm} call you?', yes: 'Yes', no: 'No' },
      waiting: 'We’re looking for law firms in your area. This can take a few seconds.',
      errors: { required: 'Choose a law firm.', too_long: 'Choose fewer law firms.' },
    },
    date_of_birth_month: {
      label: 'Month',
      errors: { ...chosen('Choose the month.'), in_future: 'Choose a date in the past.' },
    },
    date_of_birth_day: {
      label: 'Day',
      errors: {
        required: 'Choose the day.',
        invalid: 'Choose a day of that month.',
        in_future: 'Choose a date in the past.',
      },
    },
    date_of_birth_year: {
      label: 'Year',
      errors: {
        required: 'Enter the year.',
        invalid: 'Enter the year with 4 digits.',
        in_future: 'Enter a year in the past.',
      },
    },
    accident_type: { label: 'Type of accident', errors: chooseOne },
    accident_date_button: { label: 'When did the accident happen?', errors: chooseOne },
    at_Fault: { label: 'Who was at fault?', errors: chooseOne },
    physical_injury: { label: 'Were you hurt in the accident?', errors: chooseOne },
    injury_type: { label: 'What hurts most?', errors: chooseOne },
    police_report: { label: 'Did the police file a report?', errors: chooseOne },
    with_Lawyer: { label: 'Do you have a lawyer for this accident?', errors: chooseOne },
    doctor_treatment: { label: 'Have you had medical care?', errors: chooseOne },
    when_seek_medical_treatment: { label: 'When did you first get care?', errors: chooseOne },
    state_accident_occurred: { label: 'State', errors: chosen('Choose the state.') },
    address: {
      label: 'Street address',
      errors: { required: 'Enter your street address.', too_long: 'Enter a shorter address.' },
    },
  },
  stages: { accident: 'Accident', injuries: 'Injuries', case: 'Your case', contact: 'Contact' },
  levels: compensationBands.map(({ label }) => label),
  controls,
  code,
  page,
  subjects: {
    ticket: {
      title: 'Free traffic ticket review',
      description:
        'Answer a few simple questions about your traffic ticket and find out if a lawyer can help you.',
      panelTitle: 'What happens with your ticket',
      panelSteps: [
        'You answer a few short questions about your ticket.',
        'If a lawyer can help, a law firm calls you.',
        'You ask what it would cost, and you decide.',
      ],
      thankYou: {
        asked: list(
          'What the caller will ask',
          'What the ticket is for, and where and when you got it',
          'When you have to answer it or go to court',
          'Whether there was an accident',
          'Your driver’s license, and any earlier tickets',
        ),
        papers: list(
          'Have these ready',
          'The ticket, front and back',
          'Your driver’s license',
          'Your insurance card and car registration',
          'Photos of the place, if you have any',
        ),
        today: [
          list(
            'What you can do today',
            'Put the date on the ticket in your calendar. Missing it can cost you your license.',
            'Think before you pay: in most places, paying means you admit it.',
            'Write down what happened while you remember it.',
          ),
        ],
      },
    },
    benefits: {
      title: 'Which benefits could you apply for?',
      description: 'Answer two simple questions and see which benefit rules you meet.',
      panelTitle: 'See which benefits you could apply for.',
      panelSteps: [
        'You answer two short questions.',
        'You see right away which rules you meet.',
        'You can call and ask. Nobody calls you.',
      ],
    },
  },
  thankYou,
  thankYouPages,
};
