/** The texts of an object as others have it. */
export const views = {
  'views.title': 'As code',
  'views.link': 'As JSON, call, tenant file and Terraform',
  'views.raw': 'JSON',
  'views.raw.lead': 'As the Management API shows it, without secrets.',
  'views.call': 'API call',
  'views.call.lead': 'TOKEN is an access token for the Management API. Secrets are left out: what is stored stays.',
  'views.call.create': 'Makes another one like it',
  'views.call.update': 'Changes this one',
  'views.file': 'Tenant file',
  'views.file.lead': 'As npm run tenant -- export writes it, without secrets.',
  'views.terraform': 'Terraform',
  'views.terraform.lead':
    'For the provider auth0/auth0. Secrets are variables. What the provider has no attribute for is left out.',
  'views.terraform.long': '{resource} is left out: it would have more than 1,000 entries.',
  'views.none': 'An export has nothing of it.',
} as const
