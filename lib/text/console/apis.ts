/** The texts of apis. */
export const apis = {
  'apis.title': 'APIs',
  'apis.lead': 'What tokens of this server are for, with the permissions of each.',
  'apis.empty': 'No API is registered yet.',
  'apis.new': 'New API',
  'apis.tokens': 'Tokens',
  'apis.access': 'Access',
  'apis.access.lead': 'Whether roles decide what a token allows.',
  'apis.delete.lead': 'Tokens for it are refused from then on, and its grants go with it.',
} as const
