-- A client without the member allowed it until now; a new one does not.
UPDATE "client" SET "settings" = "settings" || '{"cross_origin_authentication": true}'
WHERE NOT "settings" ? 'cross_origin_authentication';
