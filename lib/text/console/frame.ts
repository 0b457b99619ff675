/** The texts of the frame of the console, its states and values. */
export const frame = {
  'app.name': 'Console',
  'app.skip': 'Skip to the content',
  'app.menu': 'Menu',
  'app.sections': 'Sections',
  'app.sign_out': 'Sign out',
  'theme.title': 'Colours',
  'theme.system': 'System',
  'theme.light': 'Light',
  'theme.dark': 'Dark',
  not_applied: 'Without effect',
  'not_applied.lead':
    'These members are kept for the tools of the vendor, and this server does not apply them. Members that protect something are refused instead.',
  'state.forbidden.title': 'Not part of your role',
  'state.forbidden.text': 'Your role, {role}, does not include this. An owner can give you another role.',
  'state.above.users':
    'This account has rights over the server that your role does not include, so you can look at it, and not change it. Owners change the accounts of administrators.',
  'state.above.clients':
    'This application has rights over the server that your role does not include, so you can look at it, and not change it.',
  'state.above.roles':
    'This role gives rights over the server that your own role does not include, so you can look at it, and not change or give it.',
  'refused.above': 'Nothing was changed: this is about rights over the server that your role does not include.',
  'refused.scope': 'Nothing was changed: your role does not include this.',
  'state.missing.title': 'There is nothing here',
  'state.missing.text': 'It was removed, or the address is wrong.',
  'state.invalid.title': 'This request cannot be answered',
  'state.busy.title': 'The server is busy',
  'state.busy.text': 'Wait a few seconds, then load the page again.',
  'state.failed.title': 'Something went wrong on the server',
  'state.failed.text': 'Nothing on this page was changed. The log of the server has the reason.',
  'state.failed.reference': 'Reference: {digest}',
  'state.retry': 'Try again',
  'state.home': 'Go to the first page',
  'value.yes': 'Yes',
  'value.no': 'No',
  'value.none': '—',
  'value.never': 'never',
} as const
