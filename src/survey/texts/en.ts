import { compensationBands } from '../../domain/compensation.ts';
import type { Texts } from './texts.ts';
import { thankYou, thankYouPages } from './thank-you-en.ts';

const yesNo = { yes: 'Yes', no: 'No' };

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

const injuryList = {
  question: 'What hurts most?',
  help: 'If nothing does, say so at the end of the list.',
  choices: { 'physical_injury=No': 'I was not hurt' },
};
// Who calls and why: said under the first question, true however the case turns out.
const whoCalls =
  'At the end we ask for your number, so that a law firm that may take your claim can call you.';
const landing = {
  question: 'Hurt in a car accident? See if you may have a claim.',
  help: whoCalls,
  submit: 'Start now',
};
// True however the sending goes; the screen says how.
const sending = { question: 'Almost done' };
const doubtfulName = 'There is a number in this name. If it is right, press the button again.';
const motorVehicle = { question: 'Were you in a motor vehicle accident?', help: whoCalls };
const chooseOne = { required: 'Choose an answer.', invalid: 'Choose an answer.' };

/** English. Short words, short sentences, nobody is blamed. */
export const en: Texts = {
  steps: {
    StartPath: { question: 'What type of accident were you in?', help: whoCalls },
    AutoAccidentCaseWorth: {
      question: 'How much do you think your case could be worth?',
      help: 'Move the slider to your own best guess. There is no wrong answer.',
    },
    WhenWasTheAccident: {
      question: 'When did the accident happen?',
      help: 'If you are not sure, your best guess is fine.',
    },
    AtFault: { question: 'Who was at fault?' },
    WasUserInjured: { question: 'Were you hurt in the accident?' },
    'v4/WasUserInjured': injuryList,
    'v7/WasUserInjured': injuryList,
    'one-to-one/WasUserInjured': injuryList,
    'rz/WasUserInjured': injuryList,
    'ep/WasUserInjured': injuryList,
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
    HasCaseBeenSettled: {
      question: 'Has your case already been settled?',
      help: 'That means: you agreed to a payment, and the case is over.',
    },
    HasReceivedFunding: { question: 'Have you already had a cash advance on this case?' },
    LawFirmDetails: { question: 'Which law firm is helping you?' },
    IncidentDescription: {
      question: 'What happened?',
      help: 'Tell us in a few sentences how the accident happened and how you were hurt.',
    },
    HitAndRunIdentified: { question: 'Has the driver who left been found?' },
    UninsuredMotoristCoverage: {
      question: 'Does your own insurance cover accidents with uninsured drivers?',
      help: 'It is often called “uninsured motorist” or “UM” coverage.',
    },
    NameAndEmail: { question: 'What is your name and email?' },
    DateOfBirth: { question: 'What is your date of birth?' },
    PhoneAndZip: {
      question: 'What number should a lawyer call?',
      submit: 'Get my free case review',
    },
    AllPii: { question: 'What number should a lawyer call?', submit: 'Get my free case review' },
    ZipCode: {
      question: 'Where do you live?',
      help: 'Your zip code tells us which law firms work in your area.',
    },
    PhoneAndBuyersConsent: {
      question: 'What number should a lawyer call?',
      submit: 'Get my free case review',
    },
    PhoneAbbreviatedTCPA: {
      question: 'What number should a lawyer call?',
      submit: 'Get my free case review',
    },
    OtherDriversVehicleType: { question: 'What was the other driver driving?' },
    TypeOfMedicalTreatment: {
      question: 'What medical care have you had?',
      help: 'If there was more than one, choose the most serious.',
      choices: { 'doctor_treatment=no': 'None so far' },
    },
    SocialDropPII: {
      question: 'Who are we talking to?',
      help: 'With your name and email we can tell you what comes next.',
    },
    WereYouInAMotorVehicleAccident: {
      question: 'Were you in a motor vehicle accident?',
      help: 'Any accident with a car, truck, bus or motorcycle counts, even if you were on foot or on a bicycle.',
    },
    'variant-d/WereYouInAMotorVehicleAccident': motorVehicle,
    'variant-e/WereYouInAMotorVehicleAccident': motorVehicle,
    'sl-v2/NameAndEmail': { question: 'What is your name and email?', help: whoCalls },
    SocialDropWhenWasTheAccident: {
      question: 'When did the accident happen?',
      help: 'If you are not sure, your best guess is fine.',
    },
    DidYouRequireMedicalTreatment: {
      question: 'Did you need medical care after the accident?',
      help: 'An ambulance, an emergency room, a clinic or a chiropractor all count.',
    },
    WillYouRequireMedicalTreatment: {
      question: 'Will you need medical care for your injury?',
      help: 'Your best guess is fine.',
    },
    AccidentResultInMedicalTreatment: {
      question: 'Did the accident lead to medical care?',
      help: 'An ambulance, an emergency room, a clinic or a chiropractor all count.',
    },
    TypeOfAccident: { question: 'What type of accident were you in?' },
    PendingDUICharges: {
      question: 'Are you facing charges for drunk or drugged driving?',
      help: 'They are often called DUI or DWI.',
    },
    TypeOfAlcoholTestPerformed: { question: 'Which alcohol test did the police give you?' },
    BACMeasuredByTest: {
      question: 'What alcohol level did the test show?',
      help: 'It is on the paper that the police gave you, often as “BAC”.',
    },
    UserHasDUI: {
      question: 'Were you ever charged with drunk driving before?',
      help: 'Any earlier alcohol charge counts, however long ago.',
    },
    DUIIncidentDescription: {
      question: 'What happened?',
      help: 'Tell us in a few sentences how you were stopped and what happened then.',
      labels: { case_description: 'How you were stopped' },
    },
    HowWasUserHurt: { question: 'Were you hurt in the accident?' },
    DescribeInjuries: {
      question: 'What hurts most?',
    },
    PoliceReport: { question: 'Did the police make a report?' },
    HasAttorney: { question: 'Do you have a lawyer for this accident?' },
    Description: {
      question: 'What happened?',
      help: 'Tell us in a few sentences how the accident happened and how you were hurt.',
    },
    EmailAndName: { question: 'What is your name and email?' },
    ZipAndPhone: {
      question: 'What number should a lawyer call?',
      submit: 'Get my free case review',
    },
    End: sending,
    ThankYouStep: sending,
    'vw3/StartPath': landing,
    'ep/StartPath': landing,
    GetStartedFirstStep: {
      question: 'Let’s get started',
      help: 'We ask about the accident first, then about your injury. You can go back at any time.',
      submit: 'Get started',
    },
    StartPathTicket: {
      question: 'What did you get the ticket for?',
      help: 'At the end we ask for your number, so that a lawyer can call you about the ticket.',
    },
    StartTicketFlow: { question: 'Was there an accident?' },
    TicketReceived: {
      question: 'Do you have the ticket already?',
      help: 'On paper, by mail or on your phone.',
    },
    SelectState: { question: 'In which state did you get the ticket?' },
    SelectDate: {
      question: 'When did you get the ticket?',
      help: 'The date is on the ticket. If you are not sure, your best guess is fine.',
    },
    DoYouHaveAttorney: { question: 'Do you have a lawyer for this ticket?' },
    'ticket/IncidentDescription': {
      question: 'What happened?',
      help: 'Tell us in a few sentences how you got the ticket.',
      labels: { case_description: 'How you got the ticket' },
    },
    NameAndEmailTicket: { question: 'Who is the ticket for?' },
    'ticket/PhoneAndZip': {
      question: 'What number should a lawyer call?',
      submit: 'Get my free ticket review',
    },
    'benefits/StartPath': {
      question: 'Find out which benefits you could ask for',
      help: 'Two short questions. You don’t have to give your name.',
      submit: 'Start now',
    },
    SelectAgeGroup: { question: 'How old are you?' },
    USCitizen: { question: 'Are you a citizen of the United States?' },
    SecuredBenefits: {
      question: 'What your answers mean',
      help: 'This is general information, not a decision. Each program has more rules, and only the program itself decides.',
      notes: {
        'ageGroup=under_18':
          'Under 18, a parent or guardian has to ask for benefits with you or for you.',
        'ageGroup=18_to_25':
          'At your age, most benefits depend on your income, your health and your family.',
        'ageGroup=26_to_49':
          'At your age, most benefits depend on your income, your health and your family.',
        'ageGroup=50_to_64':
          'From 50 on, some rules about disability are easier to meet. Social Security retirement can start at 62.',
        'ageGroup=65_or_more':
          'At 65, most people can get Medicare. You may also be able to get Social Security retirement.',
        'isUSCitizen=yes': 'You meet the rule on citizenship that many programs have.',
        'isUSCitizen=no':
          'Some programs are only for citizens. Others are open to many people who live here legally.',
      },
    },
    ShowQuestions: {
      question: 'What type of accident were you in?',
      help: whoCalls,
    },
    FormFirstQuestions: { question: 'About the accident' },
    FormSecondQuestions: {
      question: 'What happened to you?',
      labels: { injury_month: 'Month of the accident', injury_year: 'Year of the accident' },
    },
    FormThirdQuestions: {
      question: 'Where should a lawyer reach you?',
      submit: 'Get my free case review',
    },
    OnePageForm: {
      question: 'Tell us about your accident',
      help: whoCalls,
      submit: 'Get my free case review',
      labels: { injury_year: 'Year of the accident' },
    },
    Disqualified: {
      question: 'Thank you for telling us what happened.',
      help: 'From your answers, the law firms in our network may not be able to take this case. Another lawyer may see it differently. There are time limits for claims, so ask soon if you want to be sure.',
    },
  },
  choices: {
    accident_type: {
      'Car Accident': 'Car',
      'Truck Accident': 'Semi or big truck',
      'Motorcycle Accident': 'Motorcycle',
      'Pedestrian Accident': 'On foot',
      'Bicycle Accident': 'Bicycle',
      Other: 'Other',
    },
    at_Fault: { no: 'The other driver', yes: 'Me' },
    partial_fault: { yes: 'Both, or not sure', no: 'No' },
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
    hit_and_run: yesNo,
    hit_and_run_identified: yesNo,
    uninsured_motorist_coverage: { yes: 'Yes', no: 'No, or I don’t know' },
    motor_vehicle_accident: yesNo,
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
    required_medical_treatment: yesNo,
    will_require_medical_treatment: yesNo,
    when_seek_medical_treatment: {
      first_week: 'In the first week',
      first_month: 'In the first month',
      later: 'Later',
      not_yet: 'Not yet',
    },
    injury_type: { ...injuries, 'No Injury': 'I was not hurt' },
    pending_dui_charges: yesNo,
    type_of_alcohol_test_performed: {
      breath_test: 'Breath test',
      blood_test: 'Blood test',
      urine_test: 'Urine test',
      field_sobriety_test: 'Test at the roadside, like walking a line',
      no_test: 'No test',
      refused_test: 'I refused the test',
    },
    bac_level: {
      under_0_08: 'Under 0.08',
      '0_08_to_0_14': '0.08 to 0.14',
      '0_15_or_more': '0.15 or more',
      dont_know: 'I don’t know',
    },
    prior_alcohol_related_offense: yesNo,
    ticket_type: {
      Speeding: 'Speeding',
      'Red Light or Stop Sign': 'Red light or stop sign',
      'Careless Driving': 'Careless driving',
      'Phone Use': 'Using a phone',
      'License or Insurance': 'License or insurance',
      Other: 'Something else',
    },
    ticket_received: yesNo,
    ageGroup: {
      under_18: 'Under 18',
      '18_to_25': '18 to 25',
      '26_to_49': '26 to 49',
      '50_to_64': '50 to 64',
      '65_or_more': '65 or older',
    },
    isUSCitizen: yesNo,
  },
  fields: {
    injury_month: {
      label: 'Month',
      errors: {
        required: 'Choose the month.',
        invalid: 'Choose the month.',
        in_future: 'Choose today or an earlier date.',
      },
    },
    injury_year: {
      label: 'Year',
      errors: {
        required: 'Choose the year.',
        invalid: 'Choose the year.',
        in_future: 'Choose today or an earlier date.',
      },
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
        area_code: 'US area codes don’t start with 1.',
        invalid: 'Enter a US phone number with 10 digits, or leave it empty.',
        not_reachable: 'This number does not seem to work. Check it, or leave it empty.',
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
      errors: {
        required: 'Enter your first name.',
        too_long: 'Enter a shorter name.',
        doubtful: doubtfulName,
      },
    },
    last_name: {
      label: 'Last name',
      errors: {
        required: 'Enter your last name.',
        too_long: 'Enter a shorter name.',
        doubtful: doubtfulName,
      },
    },
    email: {
      label: 'Email',
      errors: {
        required: 'Enter your email address.',
        invalid: 'Enter an email address like name@example.com.',
        too_long: 'Enter a shorter email address.',
        not_reachable: 'This address does not seem to work. Please check it.',
        doubtful: 'This address may be mistyped. If it is right, press the button again.',
      },
    },
    phone: {
      label: 'Phone number',
      note: 'A lawyer calls or texts you about what you told us. Reply STOP at any time to end it.',
      errors: {
        required: 'Enter your phone number.',
        too_short: 'Enter all 10 digits of your phone number.',
        area_code: 'US area codes don’t start with 1.',
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
    selected_buyers: {
      label: 'Law firms that may contact you',
      hint: 'Choose as many as you like, or none. The choice is yours: you can go on either way.',
      waiting: 'We are looking for law firms in your area. This can take a few seconds.',
      errors: { required: 'Choose a law firm.', too_long: 'Choose fewer law firms.' },
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
    accident_type: { label: 'Type of accident', errors: chooseOne },
    accident_date_button: { label: 'When did the accident happen?', errors: chooseOne },
    at_Fault: { label: 'Who was at fault?', errors: chooseOne },
    physical_injury: { label: 'Were you hurt in the accident?', errors: chooseOne },
    injury_type: { label: 'What hurts most?', errors: chooseOne },
    police_report: { label: 'Did the police make a report?', errors: chooseOne },
    with_Lawyer: { label: 'Do you have a lawyer for this accident?', errors: chooseOne },
    doctor_treatment: { label: 'Have you had medical care?', errors: chooseOne },
    when_seek_medical_treatment: {
      label: 'When did you first get care?',
      errors: chooseOne,
    },
    state_accident_occurred: {
      label: 'State',
      errors: { required: 'Choose the state.', invalid: 'Choose the state.' },
    },
    address: {
      label: 'Street address',
      errors: { required: 'Enter your street address.', too_long: 'Enter a shorter address.' },
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
  levels: compensationBands.map(({ label }) => label),
  controls: {
    next: 'Continue',
    back: 'Back',
    startOver: 'Start over',
    deleteAnswers: 'Yes, delete my answers',
    sent: 'You have already sent your answers. There is nothing more to do here: this would be a new claim.',
    resumed: 'Welcome back. You can pick up where you left off.',
    optional: 'optional',
    suggestion: 'Did you mean {email}?',
    progress: 'Your progress',
    percent: '{percent}% done',
    percentNoSign: '{percent} of 100 done',
    stageOf: '{stage} · {position} of 4',
    choose: 'Choose',
    dayUnknown: 'Not sure',
    counter: '{count} / {limit}',
    counterLeft: 'About {left} characters left',
    counterOver: 'The text is too long',
    estimateNote:
      'Not an offer and not a promise. What a claim is worth depends on its facts, and it can be nothing.',
    firstQuestionHeader: 'Free · No fee unless you win · Private',
    lastStepHeader: 'Last step',
    socialProof: 'You are not alone. People across the country start here after an accident.',
    security:
      'Your answers are sent over a secure connection. We use them to find a law firm for your case.',
    callNow: 'Call {phone}',
    tryNow: 'Try now',
    sendingTitle: 'One moment, please',
    sendingStates: {
      sending: 'We are sending your answers…',
      saved: 'Your answers are saved. We are sending them now…',
      unsaved:
        'Please keep this page open. We could not save your answers on this device and are still sending them…',
      trying:
        'We could not send your answers yet. They are safe on this device and we are still trying.',
      offline:
        'There is no connection right now. Your answers are kept on this device, and we send them by ourselves as soon as it is back.',
      refused: 'We could not send your answers. Please call us at the number on this page.',
    },
  },
  code: {
    title: 'Check your phone',
    sending: 'We are sending a text message with a 6-digit code to {phone}.',
    about: 'We sent a text message with a 6-digit code to {phone}.',
    label: '6-digit code',
    confirm: 'Confirm',
    resend: 'Send a new code',
    resendIn: 'in {seconds} s',
    change: 'Change the number',
    skip: 'I can’t get the code. Go on without it.',
    notes: {
      sent: 'The code was sent. It can take a minute.',
      checking: 'Checking the code…',
      resent: 'We sent a new text message.',
      resendReady: 'You can ask for a new code now.',
    },
    errors: {
      tooShort: 'Enter all 6 digits of the code.',
      wrong: 'That is not the code that we sent. Please check it and try again.',
      expired: 'This code is no longer valid. Please ask for a new one.',
      tooManyTries: 'That was too many tries. You can go on without the code.',
      tooManyCodes:
        'We can’t send more codes right now. Enter the last one, or go on without the code.',
      refused:
        'This number can’t get our text messages. Change the number, or go on without the code.',
    },
  },
  page: {
    title: 'Free car accident case review',
    description:
      'Answer a few simple questions about your accident and see if you may have a claim. Free and with no obligation.',
    skipToQuestion: 'Skip to the question',
    callUs: 'Call us',
    fileClaim: 'File your claim today',
    panelTitle: 'What happens from here',
    panelSteps: [
      'You answer a few short questions, one at a time.',
      'If your case may fit, a law firm calls you.',
      'You talk, free of charge, and you decide what comes next.',
    ],
    legalLine: 'Attorney advertising. Not a law firm.',
    stopAnyTime: 'You can stop at any question. What you do not send, no law firm gets.',
    prefilled: 'Details that are filled in already came with the link that you followed.',
    legalMore: 'Read more',
    noScript: 'Would you rather talk to a person? Call us: {phone}.',
    formProblems: {
      no_visit: {
        title: 'We could not find your answers',
        text: 'Answers are kept for one day, in a browser that takes our cookie. Please start again, or call us.',
      },
      unreadable: {
        title: 'That did not reach us as it should',
        text: 'Please go back one page, check what you wrote and send it again. A shorter text may help.',
      },
      foreign_page: {
        title: 'That was not sent from this site',
        text: 'For your safety we only take answers that are given here.',
      },
      too_many: {
        title: 'That was a lot at once',
        text: 'Please wait a minute and then load this page again. Your answers are kept.',
      },
      unavailable: {
        title: 'We could not save that just now',
        text: 'Please load this page again in a moment and confirm that it may be sent again. Your earlier answers are kept.',
      },
    },
    startAgain: 'To the first question',
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
  subjects: {
    ticket: {
      title: 'Free traffic ticket review',
      description:
        'Answer a few simple questions about your traffic ticket and find out if a lawyer can help you.',
      panelTitle: 'Your ticket, from here',
      panelSteps: [
        'You answer a few short questions about your ticket.',
        'If a lawyer can help, a law firm calls you.',
        'You ask what it would cost, and you decide.',
      ],
      thankYou: {
        qualifiedSteps: [
          'Someone from a law firm will call you, often on the same day.',
          'You tell them about your ticket. You can ask anything, such as what their help would cost.',
          'If you both agree, the firm takes your case. Until then, keep the ticket and watch the dates on it.',
        ],
        asked: {
          title: 'What the caller will ask',
          items: [
            'What the ticket is for, and where and when you got it',
            'The date by which you have to answer it or come to court',
            'Whether there was an accident',
            'Which license you drive with, and earlier tickets',
          ],
        },
        papers: {
          title: 'Have these ready',
          items: [
            'The ticket, front and back',
            'Your driver’s license',
            'Your insurance card and the registration of the car',
            'Photos of the place, if you have any',
          ],
        },
        today: [
          {
            title: 'What you can do today',
            items: [
              'Put the date on the ticket into your calendar. Missing it can cost you your license.',
              'Think before you pay: in most places, paying means that you say it was so.',
              'Write down what happened while you remember it.',
            ],
          },
        ],
      },
    },
    benefits: {
      title: 'Which benefits could you ask for?',
      description: 'Answer two simple questions and see which rules about benefits you meet.',
      panelTitle: 'See which benefits you could ask for.',
      panelSteps: [
        'You answer two short questions.',
        'You see at once which rules you meet.',
        'You can call and ask. Nobody calls you.',
      ],
    },
  },
  thankYou,
  thankYouPages,
};
