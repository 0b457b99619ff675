-- As every other table of configuration (20261121230536_announce_changes).
CREATE TRIGGER "announce" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "action"
FOR EACH STATEMENT EXECUTE FUNCTION "latchkey_announce"('action');
