// pre-user-registration: which addresses may sign up, and what is known of the account from its beginning.
const validator = require('validator')

exports.onExecutePreUserRegistration = async (event, api) => {
  const { user, request, secrets } = event
  const options = { host_whitelist: secrets.SIGN_UP_DOMAINS.split(' '), allow_utf8_local_part: false }
  if (!validator.isEmail(user.email ?? '', options))
    return api.access.deny(`${user.email} is of no customer`, 'Sign up with the address of your company')
  const { company } = user.user_metadata
  if (company !== undefined && !validator.isLength(company, { max: 20 }))
    return api.validation.error('invalid_company', 'The name of the company is too long')
  api.user.setUserMetadata('company', validator.escape(company ?? 'none'))
  api.user.setAppMetadata('signed_up_from', request.ip)
}
