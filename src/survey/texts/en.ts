import type { Texts } from './texts.ts';

const yesNo = { yes: 'Yes', no: 'No' };

const injuries = {
  'Back or Neck Pain': 'Back or neck pain',
  Whiplash: 'Whiplash',
  'Broken Bones': 'Broken bones',
  'Head Injury': 'Head injury',
  'Spinal Cord Injury': 'Spinal cord injury',
  'Loss of Limb': 'Loss of a limb',
  'Cuts or Bruises': 'Cuts or bruises',
  Other: 'Another injury',
};

/** English. Short words, short sentences, nobody is blamed. */
export const en: Texts = {
  steps: {
    StartPath: { question: 'What type of accident were you in?' },
    AutoAccidentCaseWorth: {
      question: 'How much do you think your case could be worth?',
      help: 'Move the slider to your own best guess. You can’t get it wrong.',
    },
    WhenWasTheAccident: {
      question: 'When did the accident happen?',
      help: 'If you are not sure, your best guess is fine.',
    },
    AtFault: { question: 'Was the accident your fault?' },
    WasUserInjured: {
      question: 'Were you hurt in the accident?',
      help: 'Choose the injury that bothers you most.',
    },
    ActiveInsurancePolicy: {
      question: 'Did you have car insurance on the day of the accident?',
    },
    MissedWork: { question: 'Have you missed work because of your injury?' },
    SpeakingWithADoctor: { question: 'Would you like to speak with a doctor about your injury?' },
    DidYouReceiveMedicalTreatment: {
      question: 'Have you seen a doctor or had medical care?',
      help: 'An ambulance, an emergency room, a clinic or a chiropractor all count.',
    },
    WillingToTreat: {
      question: 'Would you be willing to see a doctor?',
      help: 'Some injuries only show after a few days.',
    },
    PoliceReportFiled: { question: 'Did the police make a report?' },
    HasLawyer: { question: 'Do you have a lawyer for this accident?' },
    ConfirmationHasLawyer: {
      question: 'Just to be sure: has a lawyer already agreed to take your case?',
    },
    InterestedInFunding: {
      question: 'Would a cash advance on your case help you?',
      help: 'Some people need money for bills while they wait for their case to end.',
    },
    FundingAmount: { question: 'How much money would help you right now?' },
    HasCaseBeenSettled: { question: 'Has your case already been settled?' },
    HasReceivedFunding: { question: 'Have you already had a cash advance on this case?' },
    LawFirmDetails: { question: 'Which law firm is helping you?' },
    IncidentDescription: {
      question: 'What happened?',
      help: 'Tell us in a few sentences how the accident happened and how you were hurt.',
    },
    HitAndRunIdentified: { question: 'Was the driver who left found?' },
    UninsuredMotoristCoverage: {
      question: 'Does your own insurance cover accidents with uninsured drivers?',
      help: 'It is often called “uninsured motorist” or “UM” coverage.',
    },
    NameAndEmail: { question: 'Who should the law firm ask for?' },
    DateOfBirth: { question: 'What is your date of birth?' },
    PhoneAndZip: {
      question: 'Where can the law firm reach you?',
      submit: 'Get my free case review',
    },
    AllPii: { question: 'Where can the law firm reach you?', submit: 'Get my free case review' },
  },
  choices: {
    accident_type: {
      'Car Accident': 'Car',
      'Truck Accident': 'Truck',
      'Motorcycle Accident': 'Motorcycle',
      'Pedestrian Accident': 'On foot',
      'Bicycle Accident': 'Bicycle',
      Other: 'Other',
    },
    at_Fault: { no: 'No', yes: 'Yes' },
    partial_fault: { yes: 'Partly', no: 'No' },
    specific_injury: injuries,
    physical_injury: { Yes: 'Yes, I was hurt', No: 'No, I was not hurt' },
    active_insurance_policy: yesNo,
    missed_work: yesNo,
    speaking_with_doctor: yesNo,
    doctor_treatment: yesNo,
    willing_to_treat: yesNo,
    police_report: yesNo,
    with_Lawyer: yesNo,
    lawyer_redirect_reason: {
      'have_attorney|yes': 'Yes',
      'have_attorney|yes_but_I_want_a_new_lawyer': 'Yes, but I want a new lawyer',
    },
    interested_in_psf: yesNo,
    funding_amount: {
      under_2500: 'Less than $2,500',
      '2500_to_5000': '$2,500 to $5,000',
      '5000_to_10000': '$5,000 to $10,000',
      over_10000: 'More than $10,000',
    },
    settled_case: yesNo,
    prior_funding: yesNo,
    hit_and_run: { yes: 'Yes', no: 'No' },
    hit_and_run_identified: { yes: 'Yes, they were found', no: 'No' },
    uninsured_motorist_coverage: { yes: 'Yes', no: 'No, or I don’t know' },
  },
  fields: {
    injury_month: {
      label: 'Month',
      errors: {
        required: 'Choose the month.',
        invalid: 'Choose the month.',
        in_future: 'Choose a date that is not in the future.',
      },
    },
    injury_year: {
      label: 'Year',
      errors: {
        required: 'Choose the year.',
        invalid: 'Choose the year.',
        in_future: 'Choose a date that is not in the future.',
      },
    },
    injury_day: {
      label: 'Day',
      hint: 'if you know it',
      errors: {
        invalid: 'Choose a day of that month.',
        in_future: 'Choose a day that is not in the future.',
      },
    },
    current_compensation: {
      label: 'My estimate in dollars',
      errors: {
        required: 'Move the slider to your best guess.',
        invalid: 'Move the slider to your best guess.',
      },
    },
    law_firm_name: {
      label: 'Name of the law firm',
      errors: {
        required: 'Enter the name of the law firm.',
        too_long: 'Enter a shorter name.',
      },
    },
    law_firm_phone: {
      label: 'Phone number of the law firm',
      errors: {
        required: 'Enter the law firm’s phone number.',
        too_short: 'Enter all 10 digits of the phone number, or leave it empty.',
        invalid: 'Enter a US phone number with 10 digits, or leave it empty.',
      },
    },
    case_description: {
      label: 'What happened in the accident',
      errors: {
        required: 'Tell us in a few words what happened.',
        too_short: 'Tell us a little more: at least 20 characters.',
        too_few_words: 'Tell us a little more: at least 4 words.',
        too_long: 'Make the text a little shorter.',
      },
    },
    hit_and_run: {
      label: 'Did the other driver leave without stopping?',
      errors: { required: 'Choose yes or no.', invalid: 'Choose yes or no.' },
    },
    first_name: {
      label: 'First name',
      errors: { required: 'Enter your first name.', too_long: 'Enter a shorter name.' },
    },
    last_name: {
      label: 'Last name',
      errors: { required: 'Enter your last name.', too_long: 'Enter a shorter name.' },
    },
    email: {
      label: 'Email',
      errors: {
        required: 'Enter your email address.',
        invalid: 'Enter an email address like name@example.com.',
        too_long: 'Enter a shorter email address.',
        not_reachable: 'This address does not seem to work. Please check it.',
      },
    },
    phone: {
      label: 'Phone number',
      errors: {
        required: 'Enter your phone number.',
        too_short: 'Enter all 10 digits of your phone number.',
        invalid: 'Enter a US phone number with 10 digits.',
        not_reachable: 'This number does not seem to work. Please check it.',
      },
    },
    zip_code: {
      label: 'Zip code',
      errors: {
        required: 'Enter your zip code.',
        too_short: 'Enter all 5 digits of your zip code.',
        invalid: 'Enter a zip code with 5 digits.',
        unknown_zip: 'We can’t find this zip code. Please check it.',
      },
    },
    date_of_birth_month: {
      label: 'Month',
      errors: {
        required: 'Choose the month.',
        invalid: 'Choose the month.',
        in_future: 'Choose a date in the past.',
      },
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
  },
  stages: { accident: 'Accident', injuries: 'Injuries', case: 'Your case', contact: 'Contact' },
  months: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
  levels: [
    'Low Value',
    'Low to Mid Value',
    'Mid Value',
    'Mid to High Value',
    'High Value',
    'Very High Value',
    'Extremely High Value',
  ],
  controls: {
    next: 'Continue',
    back: 'Back',
    startOver: 'Start over',
    resumed: 'Welcome back. You can go on where you stopped.',
    optional: 'optional',
    progress: 'Your progress',
    percent: '{percent}% done',
    percentNoSign: '{percent} of 100 done',
    choose: 'Choose',
    dayUnknown: 'Not sure',
    counter: '{count} / {limit}',
    counterLeft: 'About {left} characters left',
    counterOver: 'The text is too long',
    yourEstimate: 'Your estimate',
    estimateNote: 'This is only your own guess. It is no promise: every case is different.',
    firstQuestionHeader: 'Find out in 2 minutes if you may have a case',
    lastStepHeader: 'Last step – almost done',
    socialProof: 'You are not alone. People across the country start here after an accident.',
    security:
      'Your answers are sent over a secure connection. They go only to us and to the law firms that can help you.',
    sendingTitle: 'One moment, please',
    sending: 'We are sending your answers…',
    sendingSaved: 'Your answers are saved. We are sending them now…',
    sendingUnsaved:
      'Please keep this page open. We could not save your answers on this device and are still sending them…',
  },
  page: {
    title: 'Free car accident case review',
    description:
      'Answer a few simple questions about your accident and find out if a lawyer can help you. Free and with no obligation.',
    skipToQuestion: 'Skip to the question',
    callUs: 'Call us',
    panelTitle: 'Hurt in an accident? Let’s see if you have a case.',
    panelPoints: ['Free, no obligation', 'Takes about 2 minutes', 'No fee unless your lawyer wins'],
    noScript: 'This survey needs JavaScript. Please turn it on, or call us: {phone}.',
    notLawFirm:
      '{company} is not a law firm and does not give legal advice. Using this site does not make you a client of anyone.',
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
  },
  thankYou: {
    qualifiedTitle: 'Thank you. You have done your part.',
    qualifiedLead: 'A law firm will look at what you told us and get in touch with you.',
    disqualifiedTitle: 'Thank you for telling us what happened.',
    disqualifiedLead:
      'From your answers, the law firms in our network may not be able to take this case. That does not mean that you have no rights: another lawyer may see it differently.',
    nextTitle: 'What happens next',
    qualifiedSteps: [
      'A person from a law firm calls you, often on the same day. The number may be one that you don’t know.',
      'You talk about your accident. The talk is free, and you can ask anything.',
      'If you both want to go on, the firm starts your case. You pay nothing unless you win.',
    ],
    disqualifiedSteps: [
      'Keep everything about the accident: photos, bills, letters and names.',
      'If you feel pain, see a doctor, even if it started days later.',
      'There are time limits for claims. If you want to be sure, ask a lawyer or your state’s bar association soon.',
    ],
    call: 'Do you have a question? Call us:',
    partner: 'See other offers of help',
    partnerNote:
      'We tried to open a page of a partner in a new tab. If you don’t see it, open it here:',
    statusReceived: 'We have received your answers.',
    statusWaiting: 'Your answers are saved on this device. We are still sending them…',
    statusStopped:
      'Your answers are saved on this device, but we could not send them. Please call us.',
  },
};
