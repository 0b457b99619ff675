// post-change-password: a security service learns of each new password, in a signed message.
const { createHmac, randomUUID } = require('node:crypto')

exports.onExecutePostChangePassword = async (event) => {
  const { user, connection, secrets } = event
  const body = JSON.stringify({
    id: randomUUID(),
    type: 'password_changed',
    user: user.user_id,
    connection: connection.name,
  })
  const signature = createHmac('sha256', secrets.NOTICE_KEY).update(body).digest('hex')
  await fetch(secrets.NOTICE_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-signature': signature },
    body,
  })
}
