// post-login: who may log in, by confirmed address, domain, list of guests, group of the directory and age of the password.
const DAY = 86_400_000
const listed = (list, value) => list.split(',').some((each) => each.trim().toLowerCase() === value.toLowerCase())

exports.onExecutePostLogin = async (event, api) => {
  const { user, client, connection, secrets } = event
  if (!user.email || !user.email_verified) return api.access.deny('Confirm your address first')
  const domain = user.email.slice(user.email.lastIndexOf('@') + 1)
  const isGuest = listed(secrets.GUESTS, user.email)
  if (!listed(secrets.DOMAINS, domain) && !isGuest) return api.access.deny('You are not invited')
  const isInternal = client.client_id === secrets.INTERNAL_CLIENT && connection.name === 'Users'
  if (isInternal && isGuest) return api.access.deny('Guests do not use this application')
  if (isInternal && !user.groups?.includes('Staff')) return api.access.deny('This application is for the staff')
  const changed = Date.parse(user.last_password_reset ?? user.created_at)
  if (Date.now() - changed > Number(secrets.MAX_PASSWORD_DAYS) * DAY) return api.access.deny('Your password is too old')
}
