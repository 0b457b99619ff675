/** The texts of providers. */
export const providers = {
  'providers.title': 'Messages',
  'providers.lead': 'Who sends the mails, text messages and calls of this tenant.',
  'providers.mail': 'E-mail',
  'providers.phone': 'Phone',
  'providers.kinds': 'Providers',
  'providers.none': 'No provider is set. Messages go out as this server is configured.',
  'providers.new': 'New provider: {name}',
  'providers.new.lead': 'Secrets are stored encrypted and never shown again.',
  'providers.set': 'Set the provider',
  'providers.present': 'Provider: {name}',
  'providers.present.lead': 'An empty secret stays as it is. To send secrets to another place, type them again.',
  'providers.try': 'Send a test message',
  'providers.try.lead': 'It is sent at once. If it cannot be sent, the answer of the provider is shown.',
  'providers.remove': 'Remove the provider',
  'providers.remove.lead': 'Its secrets are deleted. Messages go out as this server is configured.',
} as const
