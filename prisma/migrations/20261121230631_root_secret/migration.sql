-- CreateTable
CREATE TABLE "root_secret" (
    "mark" BYTEA NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "root_secret_pkey" PRIMARY KEY ("mark")
);
