/** Microsoft's identifier for multi-factor authentication. */
export const MULTIPLE_AUTHENTICATION = 'http://schemas.microsoft.com/claims/multipleauthn'
