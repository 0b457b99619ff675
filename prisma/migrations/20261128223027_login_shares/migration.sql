-- CreateTable
CREATE TABLE "login_share" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "login_id" TEXT,
    "user_id" TEXT,
    "person" BYTEA,
    "sealed" BYTEA NOT NULL,
    "maker" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "openings" INTEGER NOT NULL DEFAULT 0,
    "last_opened_at" TIMESTAMPTZ(3),

    CONSTRAINT "login_share_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "login_share_digest_key" ON "login_share"("digest");

-- CreateIndex
CREATE INDEX "login_share_login_id_idx" ON "login_share"("login_id");

-- CreateIndex
CREATE INDEX "login_share_created_at_tenant_id_idx" ON "login_share"("created_at", "tenant_id");

-- CreateIndex
CREATE INDEX "login_share_expires_at_idx" ON "login_share"("expires_at");
