// The texts of the vendor's pages as its documentation lists them ("Customize Universal Login Text Elements"): prompt, screen, keys. It
// lists no keys of a few newer screens, which have a title at least.

const LISTED = `
async-approval-flow async-approval-error
  pageTitle expired-description expired-title wrong-user-title wrong-user-description wrong-user-link-text
async-approval-flow async-approval-accepted
  pageTitle description eventtitle
async-approval-flow async-approval-denied
  pageTitle description eventtitle
brute-force-protection brute-force-protection-unblock
  pageTitle description buttonText logoAltText
brute-force-protection brute-force-protection-unblock-success
  pageTitle description buttonText logoAltText
brute-force-protection brute-force-protection-unblock-failure
  pageTitle description buttonText logoAltText
captcha interstitial-captcha
  pageTitle description buttonText title logoAltText captchaCodePlaceholder captcha-client-failure
  captcha-validation-failure invalid-recaptcha invalid-captcha
common redeem-ticket
  pageTitle description buttonText
confirmation confirmation
  pageTitle
consent consent
  pageTitle title pickerTitle audiencePickerAltText messageMultipleTenants messageSingleTenant acceptButtonText
  declineButtonText logoAltText invalid-action invalid-audience invalid-scope
custom-form custom-form
  pageTitle
customized-consent customized-consent
  pageTitle
device-flow device-code-activation
  pageTitle buttonText description placeholder title logoAltText invalid-expired-code no-code invalid-code
device-flow device-code-activation-allowed
  pageTitle description eventTitle
device-flow device-code-activation-denied
  pageTitle description eventTitle
device-flow device-code-confirmation
  pageTitle description inputCodeLabel title confirmButtonText cancelButtonText confirmationText logoAltText
email-identifier-challenge email-identifier-challenge
  pageTitle buttonText emailDescription placeholder resendActionText resendText title titleWhenEmailFieldShown
  logoAltText invalid-otp-code-format invalid-code authenticator-error too-many-otps backButtonText
  descriptionWhenEmailFieldShown captchaCodePlaceholder resendLimitReachedText switchToPasswordButtonText
  separatorText no-transaction-in-progress too-many-failures transaction-not-found captcha-validation-failure
  invalid-recaptcha invalid-captcha captcha-client-failure auth0-users-validation invalid-user ip-blocked
  user-blocked same-user-login user-account-exists
email-otp-challenge email-otp-challenge
  pageTitle buttonText description placeholder resendActionText resendText title logoAltText invalid-otp-code-format
  invalid-code authenticator-error too-many-email no-code
email-verification email-verification-result
  pageTitle verifiedTitle errorTitle verifiedDescription alreadyVerifiedDescription invalidAccountOrCodeDescription
  unknownErrorDescription buttonText auth0-users-expired-ticket custom-script-error-code auth0-users-used-ticket
  auth0-users-validation
invitation accept-invitation
  pageTitle title description buttonText logoAltText
login login
  pageTitle title description separatorText buttonText federatedConnectionButtonText signupActionLinkText
  signupActionText forgotPasswordText passwordPlaceholder usernamePlaceholder emailPlaceholder phonePlaceholder
  usernameOnlyPlaceholder phoneOrUsernameOrEmailPlaceholder phoneOrEmailPlaceholder phoneOrUsernamePlaceholder
  usernameOrEmailPlaceholder editEmailText alertListTitle invitationTitle invitationDescription logoAltText
  showPasswordText hidePasswordText wrong-credentials wrong-email-credentials wrong-username-credentials
  wrong-phone-credentials wrong-email-username-credentials wrong-email-phone-username-credentials
  wrong-email-phone-credentials wrong-phone-username-credentials invalid-code invalid-expired-code
  custom-script-error-code auth0-users-validation authentication-failure invalid-connection ip-blocked
  no-db-connection password-breached user-blocked same-user-login no-email no-password no-username
login-email-verification login-email-verification
  pageTitle buttonText description placeholder resendActionText resendText title logoAltText invalid-otp-code-format
  invalid-code invalid-expired-code authenticator-error too-many-email
login-id login-id
  pageTitle title description separatorText buttonText federatedConnectionButtonText forgotPasswordText
  signupActionLinkText signupActionText passwordPlaceholder usernamePlaceholder emailPlaceholder phonePlaceholder
  usernameOnlyPlaceholder phoneOrUsernameOrEmailPlaceholder phoneOrEmailPlaceholder phoneOrUsernamePlaceholder
  usernameOrEmailPlaceholder editEmailText alertListTitle logoAltText passkeyButtonText wrong-credentials
  wrong-email-credentials wrong-username-credentials wrong-phone-credentials wrong-email-username-credentials
  wrong-email-phone-username-credentials wrong-email-phone-credentials wrong-phone-username-credentials invalid-code
  invalid-expired-code invalid-username invalid-login-id invalid-email-phone invalid-email-username
  invalid-phone-username invalid-email-phone-username custom-script-error-code auth0-users-validation
  authentication-failure invalid-connection ip-blocked no-db-connection no-hrd-connection password-breached
  user-blocked same-user-login no-email no-password no-username invalid-phone-number conflict-password-passkey
  password-not-allowed passkey-not-allowed no-passkey passkey-authentication-failed invalid-passkey
login-password login-password
  pageTitle title description separatorText buttonText federatedConnectionButtonText signupActionLinkText
  signupActionText forgotPasswordText passwordPlaceholder usernamePlaceholder emailPlaceholder editEmailText
  editLinkScreenReadableText alertListTitle invitationTitle invitationDescription logoAltText useBiometricsText
  showPasswordText hidePasswordText wrong-credentials invalid-code invalid-expired-code wrong-email-credentials
  wrong-username-credentials wrong-phone-credentials wrong-email-username-credentials
  wrong-email-phone-username-credentials wrong-email-phone-credentials wrong-phone-username-credentials
  custom-script-error-code auth0-users-validation authentication-failure invalid-connection ip-blocked
  no-db-connection password-breached user-blocked same-user-login no-email no-password no-username
login-passwordless login-passwordless-email-code
  pageTitle buttonText description placeholder resendActionText resendText title logoAltText
  invalid-verification-code passwordless-authenticator-error passwordless-unknown-error
login-passwordless login-passwordless-email-link
  pageTitle successTitle errorTitle description unknownErrorDescription
login-passwordless login-passwordless-sms-otp
  pageTitle title description buttonText editText placeholder resendActionText resendText logoAltText
  invalid-verification-code passwordless-authenticator-error passwordless-unknown-error
logout logout
  pageTitle title userSalute description acceptButtonText declineButtonText logoAltText
logout logout-aborted
  pageTitle
logout logout-complete
  pageTitle
mfa mfa-detect-browser-capabilities
  pageTitle pickAuthenticatorText reloadButtonText noJSErrorTitle noJSErrorDescription
mfa mfa-enroll-result
  pageTitle enrolledTitle enrolledDescription invalidTicketTitle invalidTicketDescription expiredTicketTitle
  expiredTicketDescription alreadyUsedTitle alreadyUsedDescription alreadyEnrolledDescription genericError
mfa mfa-login-options
  pageTitle backText title authenticatorNamesSMS authenticatorNamesVoice authenticatorNamesPhone
  authenticatorNamesPushNotification authenticatorNamesOTP authenticatorNamesEmail authenticatorNamesRecoveryCode
  authenticatorNamesDUO authenticatorNamesWebauthnRoaming authenticatorNamesWebauthnPlatform
mfa mfa-begin-enroll-options
  pageTitle backText title description logoAltText authenticatorNamesSMS authenticatorNamesVoice
  authenticatorNamesPhone authenticatorNamesPushNotification authenticatorNamesOTP authenticatorNamesEmail
  authenticatorNamesRecoveryCode authenticatorNamesDUO authenticatorNamesWebauthnRoaming
  authenticatorNamesWebauthnPlatform
mfa-email mfa-email-challenge
  pageTitle backText buttonText description pickAuthenticatorText placeholder rememberMeText resendActionText
  resendText title logoAltText invalid-otp-code-format invalid-code authenticator-error no-transaction-in-progress
  too-many-email transaction-not-found mfa-email-challenge-authenticator-error no-code
mfa-email mfa-email-list
  pageTitle backText title
mfa-otp mfa-otp-enrollment-qr
  pageTitle title description buttonText codeEnrollmentText pickAuthenticatorText placeholder separatorText
  logoAltText invalid-otp-code-format invalid-code too-many-failures transaction-not-found user-already-enrolled
  no-code
mfa-otp mfa-otp-enrollment-code
  pageTitle backText buttonText altText copyCodeButtonText description pickAuthenticatorText placeholder title
  logoAltText too-many-failures transaction-not-found no-code
mfa-otp mfa-otp-challenge
  pageTitle title description buttonText pickAuthenticatorText placeholder rememberMeText logoAltText
  usePasswordText authenticator-error too-many-failures transaction-not-found no-code
mfa-phone mfa-phone-challenge
  pageTitle title description continueButtonText changePhoneText smsButtonText voiceButtonText chooseMessageTypeText
  pickAuthenticatorText placeholder logoAltText send-sms-failed send-voice-failed invalid-phone-format invalid-phone
  too-many-sms too-many-voice transaction-not-found no-phone
mfa-phone mfa-phone-enrollment
  pageTitle title description continueButtonText smsButtonText voiceButtonText chooseMessageTypeText
  pickAuthenticatorText placeholder logoAltText send-sms-failed send-voice-failed sms-authenticator-error
  invalid-phone-format invalid-phone too-many-sms too-many-voice transaction-not-found no-phone
mfa-push mfa-push-welcome
  pageTitle title description androidButtonText buttonText iosButtonText pickAuthenticatorText logoAltText
mfa-push mfa-push-enrollment-qr
  pageTitle title description pickAuthenticatorText buttonText logoAltText enrollment-transaction-pending
mfa-push mfa-push-challenge-push
  pageTitle title description buttonText pickAuthenticatorText rememberMeText resendActionText resendText
  enterOtpCode separatorText logoAltText challenge-transaction-pending polling-interval-exceeded too-many-push
  transaction-not-found mfa-push-verify-transaction-pending mfa-push-verify-authenticator-error
  mfa-push-challenge-authenticator-error transaction-rejected
mfa-push mfa-push-list
  pageTitle backText title
mfa-recovery-code mfa-recovery-code-enrollment
  pageTitle title description altText buttonText checkboxText copyCodeButtonText logoAltText no-confirmation
mfa-recovery-code mfa-recovery-code-challenge
  pageTitle title description buttonText pickAuthenticatorText placeholder logoAltText invalid-code
  invalid-code-format authenticator-error no-confirmation too-many-failures transaction-not-found
mfa-recovery-code mfa-recovery-code-challenge-new-code
  pageTitle
mfa-sms mfa-country-codes
  pageTitle backText title
mfa-sms mfa-sms-enrollment
  pageTitle title description buttonText pickAuthenticatorText placeholder logoAltText send-sms-failed
  sms-authenticator-error invalid-phone-format invalid-phone too-many-sms transaction-not-found no-phone
mfa-sms mfa-sms-challenge
  pageTitle title description buttonText editText editLinkScreenReadableText pickAuthenticatorText placeholder
  rememberMeText resendActionText resendText resendVoiceActionSeparatorTextBefore resendVoiceActionText logoAltText
  invalid-otp-code-format invalid-code send-sms-failed authenticator-error sms-authenticator-error
  no-transaction-in-progress too-many-failures too-many-sms transaction-not-found no-code
mfa-sms mfa-sms-list
  pageTitle backText title
mfa-voice mfa-voice-enrollment
  pageTitle title description buttonText pickAuthenticatorText placeholder logoAltText send-sms-failed
  invalid-phone-format invalid-phone too-many-sms transaction-not-found no-phone
mfa-voice mfa-voice-challenge
  pageTitle title description buttonText editText editLinkScreenReadableText changePhoneText pickAuthenticatorText
  placeholder rememberMeText resendActionText resendText resendSmsActionSeparatorTextBefore resendSmsActionText
  logoAltText invalid-otp-code-format invalid-code send-voice-failed authenticator-error voice-authenticator-error
  no-transaction-in-progress too-many-failures too-many-voice transaction-not-found no-code
mfa-webauthn mfa-webauthn-platform-enrollment
  pageTitle title description awaitingConfirmation logoAltText continueButtonText pickAuthenticatorText
  snoozeEnrollmentButtonText refuseAddingDeviceText skipAddingDeviceText webauthn-platform-associate-error
mfa-webauthn mfa-webauthn-roaming-enrollment
  pageTitle title description awaitingConfirmation logoAltText continueButtonText pickAuthenticatorText
  instructions1 instructions2 instructions3 webauthn-associate-error
mfa-webauthn mfa-webauthn-platform-challenge
  pageTitle title description awaitingConfirmation too-many-webauthn-challenge-attempts-error logoAltText
  continueButtonText pickAuthenticatorText usePasswordText rememberMeText webauthn-platform-challenge-error
mfa-webauthn mfa-webauthn-roaming-challenge
  pageTitle title description awaitingConfirmation too-many-webauthn-challenge-attempts-error logoAltText
  continueButtonText pickAuthenticatorText rememberMeText webauthn-challenge-error
mfa-webauthn mfa-webauthn-change-key-nickname
  title description nickname nicknamePlaceholder pageTitle descriptionPlatform nicknamePlatform
  nicknamePlaceholderPlatform buttonText logoAltText webauthn-patch-nickname-error
  webauthn-platform-patch-nickname-error no-nickname nickname-too-short nickname-too-long
  error-while-retrieving-authenticator error-while-patching
mfa-webauthn mfa-webauthn-enrollment-success
  pageTitle title titlePlatform description descriptionPlatform buttonText logoAltText
mfa-webauthn mfa-webauthn-error
  pageTitle tryAgainLinkText pickAuthenticatorText errorTitle errorTitleChallenge errorTitlePlatform
  errorTitlePlatformChallenge description descriptionPlatform refuseAddingAuthenticatorText usePasswordText
mfa-webauthn mfa-webauthn-not-available-error
  pageTitle errorTitle errorDescription pickAuthenticatorText usePasswordText
organizations organization-selection
  pageTitle buttonText description placeholder title logoAltText invalid-organization
organizations organization-picker
  pageTitle loggedInText loggedInTextB2C title titleB2C logoAltText separatorText continueTextB2C
passkeys passkey-enrollment
  title pageTitle description passkeyBenefit1Title passkeyBenefit1ImgAltText passkeyBenefit1Description
  passkeyBenefit2Title passkeyBenefit2ImgAltText passkeyBenefit2Description passkeyBenefit3Title
  passkeyBenefit3ImgAltText passkeyBenefit3Description createButtonText continueButtonText createButtonResetText
  usePasswordButtonText backButtonText checkboxText email-in-use auth0-users-validation conflict-password-passkey
  password-not-allowed passkey-not-allowed invalid-passkey passkey-enrollment-failure
  passkey-enrollment-max-allowed-reached
passkeys passkey-enrollment-local
  title pageTitle description passkeyBenefit1Title passkeyBenefit1ImgAltText passkeyBenefit1Description
  passkeyBenefit2Title passkeyBenefit2ImgAltText passkeyBenefit2Description createButtonText continueButtonText
  checkboxText error_passkey-enrollment-failure error_passkey-enrollment-max-allowed-reached
phone-identifier-challenge phone-identifier-challenge
  pageTitle title smsDescription voiceDescription buttonText backButtonText placeholder resendActionText resendText
  resendVoiceActionSeparatorTextBefore resendSmsActionSeparatorTextBefore resendSmsActionText resendVoiceActionText
  logoAltText resendLimitReachedText invalid-otp-code-format invalid-code send-voice-failed send-sms-failed
  authenticator-error voice-authenticator-error sms-authenticator-error no-transaction-in-progress too-many-failures
  too-many-voice too-many-sms transaction-not-found
phone-identifier-enrollment phone-identifier-enrollment
  pageTitle title description continueButtonText changePhoneText smsButtonText voiceButtonText chooseMessageTypeText
  backButtonText placeholder logoAltText send-sms-failed send-voice-failed invalid-phone-format invalid-phone
  too-many-sms too-many-voice transaction-not-found no-phone
reset-password reset-password-request
  pageTitle title backToLoginLinkText buttonText descriptionEmail descriptionUsername placeholderEmail
  placeholderUsername emailPlaceholder usernamePlaceholder phonePlaceholder phoneOrUsernameOrEmailPlaceholder
  phoneOrEmailPlaceholder phoneOrUsernamePlaceholder usernameOrEmailPlaceholder emailDescription usernameDescription
  phoneDescription phoneOrUsernameOrEmailDescription phoneOrEmailDescription phoneOrUsernameDescription
  usernameOrEmailDescription logoAltText auth0-users-expired-ticket custom-script-error-code auth0-users-used-ticket
  auth0-users-validation reset-password-error too-many-email too-many-requests no-email no-username no-phone_number
  invalid-phone-format invalid-login-id invalid-email-phone
reset-password reset-password-email
  pageTitle title backButtonText emailDescription resendLinkText usernameDescription
reset-password reset-password
  pageTitle title description buttonText passwordPlaceholder reEnterpasswordPlaceholder passwordSecurityText
  logoAltText showPasswordText hidePasswordText accessibilityError accessibilityValid auth0-users-expired-ticket
  custom-script-error-code auth0-users-used-ticket auth0-users-validation no-password-reset no-re-enter-password
  password-contains-user-information password-breached-reset password-mismatch
reset-password reset-password-success
  pageTitle eventTitle description buttonText
reset-password reset-password-error
  pageTitle backToLoginLinkText descriptionExpired descriptionGeneric descriptionUsed eventTitleExpired
  eventTitleGeneric eventTitleUsed auth0-users-expired-ticket custom-script-error-code auth0-users-used-ticket
  auth0-users-validation reset-password-error
reset-password reset-password-mfa-email-challenge
  pageTitle backText buttonText description pickAuthenticatorText placeholder rememberMeText resendActionText
  resendText title logoAltText invalid-otp-code-format invalid-code authenticator-error no-transaction-in-progress
  too-many-email transaction-not-found mfa-email-challenge-authenticator-error
reset-password reset-password-mfa-otp-challenge
  pageTitle title description buttonText pickAuthenticatorText placeholder rememberMeText logoAltText
  usePasswordText authenticator-error too-many-failures transaction-not-found
reset-password reset-password-mfa-phone-challenge
  pageTitle title description continueButtonText changePhoneText smsButtonText voiceButtonText chooseMessageTypeText
  pickAuthenticatorText placeholder logoAltText send-sms-failed send-voice-failed invalid-phone-format invalid-phone
  too-many-sms too-many-voice transaction-not-found no-phone
reset-password reset-password-mfa-push-challenge-push
  pageTitle title description buttonText pickAuthenticatorText rememberMeText resendActionText resendText
  enterOtpCode separatorText logoAltText challenge-transaction-pending polling-interval-exceeded too-many-push
  transaction-not-found mfa-push-verify-transaction-pending mfa-push-verify-authenticator-error
  mfa-push-challenge-authenticator-error transaction-rejected
reset-password reset-password-mfa-recovery-code-challenge
  pageTitle title description buttonText pickAuthenticatorText placeholder logoAltText invalid-code
  invalid-code-format authenticator-error no-confirmation too-many-failures transaction-not-found
reset-password reset-password-mfa-sms-challenge
  pageTitle title description buttonText editText editLinkScreenReadableText pickAuthenticatorText placeholder
  rememberMeText resendActionText resendText resendVoiceActionSeparatorTextBefore resendVoiceActionText logoAltText
  invalid-otp-code-format invalid-code send-sms-failed authenticator-error sms-authenticator-error
  no-transaction-in-progress too-many-failures too-many-sms transaction-not-found
reset-password reset-password-mfa-voice-challenge
  pageTitle title description buttonText editText editLinkScreenReadableText changePhoneText pickAuthenticatorText
  placeholder rememberMeText resendActionText resendText resendSmsActionSeparatorTextBefore resendSmsActionText
  logoAltText invalid-otp-code-format invalid-code send-voice-failed authenticator-error voice-authenticator-error
  no-transaction-in-progress too-many-failures too-many-voice transaction-not-found
reset-password reset-password-mfa-webauthn-platform-challenge
  pageTitle description awaitingConfirmation too-many-webauthn-challenge-attempts-error logoAltText
  continueButtonText pickAuthenticatorText usePasswordText rememberMeText webauthn-platform-challenge-error
reset-password reset-password-mfa-webauthn-roaming-challenge
  pageTitle title description awaitingConfirmation too-many-webauthn-challenge-attempts-error logoAltText
  continueButtonText pickAuthenticatorText rememberMeText webauthn-challenge-error
signup signup
  pageTitle title description separatorText buttonText emailPlaceholder federatedConnectionButtonText
  loginActionLinkText loginActionText passwordPlaceholder passwordSecurityText usernamePlaceholder phonePlaceholder
  emailOptionalPlaceholder usernameOptionalPlaceholder phoneOptionalPlaceholder logoAltText showPasswordText
  hidePasswordText accessibilityError accessibilityValid email-in-use password-too-weak
  password-policy-not-conformant password-too-common password-previously-used password-mismatch
  password-contains-user-information invalid-username invalid-username-max-length invalid-username-min-length
  invalid-username-invalid-characters invalid-username-email-not-allowed username-taken custom-script-error-code
  auth0-users-validation invalid-connection ip-blocked ip-signup-blocked no-db-connection no-email no-password
  no-password-reset no-re-enter-password no-username no-identifier password-breached invalid-phone-attribute-config
signup-id signup-id
  pageTitle title description separatorText buttonText phonePlaceholder emailPlaceholder
  federatedConnectionButtonText loginActionLinkText loginActionText passwordPlaceholder passwordSecurityText
  usernamePlaceholder emailOptionalPlaceholder usernameOptionalPlaceholder phoneOptionalPlaceholder logoAltText
  email-in-use password-too-weak password-policy-not-conformant password-too-common password-previously-used
  password-mismatch invalid-username invalid-username-max-length invalid-username-min-length
  invalid-username-invalid-characters invalid-username-email-not-allowed username-taken custom-script-error-code
  auth0-users-validation invalid-connection ip-blocked ip-signup-blocked no-db-connection no-hrd-connection no-email
  no-password no-password-reset no-re-enter-password no-username no-identifier invalid-phone-number
signup-password signup-password
  pageTitle title description separatorText buttonText phonePlaceholder emailPlaceholder editEmailText editPhoneText
  editUsernameText editLinkScreenReadableText federatedConnectionButtonText loginActionLinkText loginActionText
  passwordPlaceholder passwordSecurityText usernamePlaceholder emailOptionalPlaceholder usernameOptionalPlaceholder
  phoneOptionalPlaceholder backButtonText invitationTitle invitationDescription logoAltText showPasswordText
  hidePasswordText accessibilityError accessibilityValid email-in-use password-too-weak
  password-policy-not-conformant password-too-common password-previously-used password-mismatch
  password-contains-user-information invalid-username invalid-username-max-length invalid-username-min-length
  invalid-username-invalid-characters invalid-username-email-not-allowed username-taken custom-script-error-code
  auth0-users-validation invalid-connection ip-blocked ip-signup-blocked no-db-connection no-email no-password
  no-password-reset no-re-enter-password no-username invalid-phone-number password-breached
  invalid-phone-attribute-config
status status
  passwordless-no-session-title passwordless-no-session passwordless-no-session-link mfa-required-title mfa-required
  custom-script-error-code auth0-users-validation authentication-failure
`

/** Prompt → screen → keys. */
export const VENDOR_TEXTS: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> = read(LISTED)

function read(listed: string) {
  const prompts = new Map<string, Map<string, string[]>>()
  let keys: string[] = []
  for (const line of listed.split('\n').filter(Boolean)) {
    const words = line.trim().split(' ')
    if (line.startsWith(' ')) keys.push(...words)
    else {
      const [prompt = '', screen = ''] = words
      keys = []
      prompts.set(prompt, (prompts.get(prompt) ?? new Map()).set(screen, keys))
    }
  }
  return prompts
}
