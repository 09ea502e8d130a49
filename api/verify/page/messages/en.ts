import type { Messages } from '../messages.ts';

export const en: Messages = {
  verdicts: {
    genuine: {
      title: 'Genuine code',
      lead: '{brand} issued this code, and we know of nothing against it.',
      leadMedium: '{brand} issued this code for this product.',
      steps: [
        'Compare the product in your hand with the details below.',
        'Check that the seal and the packaging are intact.',
      ],
    },
    suspicious: {
      title: 'Possibly copied',
      lead: 'The code is known, but the way it has been scanned suggests that it was copied onto other products. The one in your hand may still be the original.',
      leadConfirmed:
        'The brand has looked into this code and found that it is being misused. The product in your hand may still be the original.',
      steps: [
        'Do not use the product until you are sure where it comes from.',
        'Ask the seller where they bought it.',
        'Report it below: that helps {brand} to find copies.',
      ],
    },
    diverted: {
      title: 'Meant for another market',
      lead: '{brand} issued this code for a product that was not meant to be sold where you are.',
      steps: [
        'Check whether the warranty applies in your country; instructions and ingredients may differ.',
        'Ask the seller where the product comes from.',
      ],
    },
    suspended: {
      title: 'Blocked for now',
      lead: '{brand} has blocked this code while something is being clarified.',
      steps: ['Do not buy or use the product for the time being.', 'Ask {brand} or the seller.'],
    },
    recalled: {
      title: 'Recalled',
      lead: '{brand} has recalled this product.',
      steps: [
        'Stop using the product, and do not pass it on.',
        'Take it back to the seller or contact {brand}.',
      ],
    },
    expired: {
      title: 'Past its expiry date',
      lead: '{brand} issued this code, but the product is past its expiry date.',
      steps: ['Do not use it any more.', 'If you have only just bought it, take it back to the seller.'],
    },
    inactive: {
      title: 'Not released for sale',
      lead: '{brand} issued this code, but has not released this product for sale.',
      steps: ['Do not buy it: it should not be in a shop.', 'Report below where you found it.'],
    },
    unknown: {
      title: 'Code not recognised',
      lead: 'We do not know this code. It may have been misread, or it was never issued here.',
      steps: [
        'Scan the code again, in good light.',
        'If it stays unknown, do not rely on the product, and report it below.',
      ],
    },
  },
  productCode: {
    title: 'This code only identifies the product',
    lead: 'Many items of this product carry this same code. It does not show whether the one in your hand is genuine.',
    steps: [
      'Look on the product and its packaging for another code, one that belongs to this one item.',
      'Scan that one: only it can be checked.',
      'If there is none, ask {brand} or the seller.',
    ],
  },
  evidence: 'A genuine code is good evidence, but not proof: a copied code looks the same at first.',
  next: 'What to do now',
  why: 'Why we say so',
  noticed: 'What was noticed',
  reasons: {
    clone: {
      places: 'Where and when the code was scanned fits several products better than one.',
      'not-shipped': 'The brand’s records say that this product has not reached a shop yet.',
      consumed: 'This product was recorded as used up, and somebody else has scanned its code since.',
      'hidden-code':
        'Several different people have entered the code hidden on its package, which only its buyer should have uncovered.',
      'nfc-tap':
        'Several different people have come with an answer of its chip that was used up, as copies of the chip give it.',
      confirmed: 'The brand has looked into this code and found that it is being misused.',
    },
    impossible_travel: 'The code was scanned in places far apart in too short a time.',
    excessive_scanning: 'Unusually many different people have scanned the code.',
  },
  product: {
    heading: 'Product',
    brand: 'Brand',
    gtin: 'Item number (GTIN)',
    serial: 'Serial number',
    lot: 'Lot',
    expires: 'Expires',
  },
  scans: {
    heading: 'Checks of this code',
    count: { one: 'Checked {count} time', other: 'Checked {count} times' },
    visitors: 'Different visitors',
    first: 'First check',
    now: 'This check',
    country: 'Country (estimated)',
    internal: 'This check was made from a network of the brand’s own and is not counted.',
  },
  address: {
    heading: 'Is this page real?',
    text: 'At the top of your browser, the address must begin with exactly this:',
    note: 'Imitations of this page have another address.',
  },
  issuer: {
    confirmed: 'Confirmed: {domain}',
    unconfirmed: 'Name not confirmed',
    heading: 'Who is behind this code?',
    holds:
      '{brand} has shown that the domain {domain} belongs to it. Check that this is the brand’s own, for example on the packaging.',
    unchecked:
      'Nobody has checked that {brand} is who it says it is. If in doubt, ask the brand itself, at an address that you know.',
  },
  position: {
    heading: 'Help to find copies',
    text: 'You can add your position to this check. It helps to detect copied codes and goods outside their market, and the brand can see it. It is sent only if you press the button.',
    button: 'Add my position',
    done: 'Thank you. Your position was added.',
    failed: 'That did not work. Your check counts all the same.',
  },
  hiddenCode: {
    heading: 'Is there a hidden code?',
    text: 'Some packages have a second code below a layer to scratch or peel off. Uncover it once the product is yours: it helps to tell whether you hold the original.',
    label: 'Hidden code',
    check: 'Check the hidden code',
    first: {
      title: 'Hidden code: correct',
      text: 'Nobody else has entered it before. If its layer was untouched until you uncovered it, that speaks strongly for the original.',
    },
    repeated: {
      title: 'Hidden code: entered before',
      text: 'It is correct, but it has been entered before, first on {date}. If that was neither you nor anybody you know, the product in your hand may be a copy.',
    },
    wrong: {
      title: 'Hidden code: not correct',
      text: 'Compare it letter by letter, and try again. If it stays wrong, the product in your hand may be a copy: report it below.',
    },
  },
  nfc: {
    heading: 'Check the chip in the package',
    text: 'The package of the original has an NFC chip, which is hard to copy. Hold the top of your phone to it, with the screen on, and open the address that appears.',
    counter:
      'This was reading number {count} of the chip. Tap once more: if the number stays the same, the chip may be a copy.',
    fresh: {
      title: 'Chip: answer correct and new',
      text: 'Only the chip of this product can give this answer, and nobody else has used it before. If the chip sits where it belongs and was not moved there, that speaks strongly for the original.',
    },
    replayed: {
      title: 'Chip: answer used before',
      text: 'It is a correct answer, but was used up on {date}: the chip gives a new one at each tap. If you have just tapped the package, tap it once more. If this appears again, the product in your hand may be a copy. If somebody sent you this link, it says nothing about any package.',
    },
    invalid: {
      title: 'Chip: answer not correct',
      text: 'This answer is not from the chip of this product. If you have just tapped the package, tap it once more. If this appears again, the product in your hand may be a copy: report it below. If somebody sent you this link, it says nothing about any package.',
    },
  },
  report: {
    heading: 'Report this product',
    what: 'What seems wrong?',
    where: 'Where did you get it? (optional)',
    email: 'Your e-mail address, for questions (optional)',
    send: 'Send report',
    thanksTitle: 'Thank you',
    thanksText: 'Your report has arrived, and a person will look at it.',
  },
  front: {
    title: 'Check a product',
    text: 'Scan the code on the product with your phone’s camera. It opens a page at this address that says what is known of the code.',
    typed: 'Or type the code, or the address printed with it',
    check: 'Check',
    incomplete:
      'This is not a complete code. A code has 24 letters and digits; a serial number alone is not enough. Scan the code, or ask the seller.',
    brands: 'For brands: sign in',
  },
  problems: {
    wait: {
      title: 'One moment, please',
      text: 'Too many requests came from your connection. Wait a minute, then try again.',
    },
    away: {
      title: 'No answer at the moment',
      text: 'The fault is ours, not yours. Try again in a moment.',
    },
    address: {
      title: 'This page does not exist',
      text: 'Its address is incomplete or has been changed. Open it again with the code or the link that you were given.',
    },
    unread: {
      title: 'This could not be read',
      text: 'Nothing was saved. Go back one page and try again.',
    },
    neutral: 'This says nothing about the product.',
    again: 'Try again',
  },
  from: 'From {brand}',
  contact: 'Contact {brand}',
  privacy:
    'This check was recorded with its time, approximate place and, for a limited time, your network address, without your name.',
  language: 'Language',
};
