/** The texts of administrators. */
export const administrators = {
  'administrators.title': 'Administrators',
  'administrators.lead': 'Who may enter this console, and what each may do.',
  'administrators.invite': 'Invite',
  'administrators.invite.lead':
    'The link works once, within seven days. With an address, only the user who has verified it can accept.',
  'administrators.invite.make': 'Make a link',
  'administrators.scopes': '{count} scopes',
  'administrators.remove': 'Remove',
  'administrators.change': 'Change role',
} as const
