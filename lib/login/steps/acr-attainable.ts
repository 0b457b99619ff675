// A class of authentication that the application requires can be reached at all.
import type { LoginStep } from './step'

export const acrAttainable: LoginStep = {
  name: 'acr-attainable',
  unmet: ({ acrUnattainable }) => acrUnattainable,
  refusal: {
    code: 'unmet_authentication_requirements',
    description: 'None of the requested authentication context classes can be met',
  },
}
